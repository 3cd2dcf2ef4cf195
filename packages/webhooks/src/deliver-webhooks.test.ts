// Events reach real HTTP receivers, signed as the specification says, and every attempt is in the log.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startWebhookReceiver } from "@turnpike/testing";
import { Webhook } from "standardwebhooks";
import { openTestWebhooks, type TestWebhooks } from "./open-test-webhooks.fixture.ts";
import { listMessages, readMessage } from "./read-webhooks.ts";

let site: TestWebhooks;

beforeAll(async () => {
  site = await openTestWebhooks();
});
afterAll(() => site.close());

test("an event is delivered once, and verifies with the secret of its endpoint", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  const { id, secret } = await site.addEndpoint(by, receiver.url);
  await site.queue(by);
  await site.sender.idle();
  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  const { headers = {}, body = "" } = request ?? {};
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    type: "key.created",
    timestamp: expect.any(String),
    account_id: by.account.id,
    data: { key: { id: "0", name: "a key" }, by: { kind: "operator", name: "" } },
  });
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["webhook-id"]).toMatch(/^evt_[0-9a-f]{32}$/);
  const { rows } = await listMessages(site.db, by.account.id, { endpointId: id, limit: 10 });
  expect(rows).toMatchObject([
    { type: "key.created", state: "accepted", attempts: 1, status: 204 },
  ]);
  const detail = rows[0] && (await readMessage(site.db, by.account.id, rows[0].id));
  expect(detail?.body).toBe(body);
  expect(detail?.log).toMatchObject([{ number: 1, status: 204, error: null }]);
});
