// Webhook endpoints over the management API: what happens in the account reaches them, signed with the secret that was
// shown once; a message is read with its attempts and sent again, and after a rotation both secrets sign.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { mintApiKey } from "@turnpike/keys";
import { startWebhookReceiver } from "@turnpike/testing";
import { Webhook } from "standardwebhooks";
import { openBrowser, signUp, tokenOf } from "../console/browser.fixture.ts";
import { at, startTestServer, useServer } from "../harness/index.ts";
import { readDescription } from "./expect-described.fixture.ts";
import { ask, openOrganization } from "./open-management.fixture.ts";

const { server } = await useServer(
  startTestServer({
    environment: {
      SEALING_KEY: "a-key-that-only-this-test-seals-with",
      ALLOW_PRIVATE_WEBHOOKS: "true",
      THROTTLE_SCALE: "1000",
    },
    serverTimes: { sendWebhooksEveryMs: 50 },
  }),
);
const expectDescribed = await readDescription(server);

async function openEndpoint(url: string) {
  const { id, key } = await openOrganization(server);
  const manage = async (call: string, body?: unknown) => {
    const asked = await ask(server, key, call, body);
    const path = call.replace(/\?.*/, "").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "{id}");
    expectDescribed(path, asked);
    return asked.body;
  };
  const made = await manage("POST /management/webhooks", {
    url,
    description: "all",
    event_types: null,
  });
  const endpoint = `/management/webhooks/${made.id}`;
  return { accountId: id, manage, endpoint, secret: String(made.secret) };
}

test("a member who joins and a key that leaks are told, and verify with the standard's library", async () => {
  await using receiver = startWebhookReceiver();
  const { accountId, manage, secret } = await openEndpoint(receiver.url);
  const email = `${newId<AccountId>()}@example.com`;
  await manage("POST /management/invitations", { email, role: "developer" });
  const browser = openBrowser(server.url);
  await signUp(browser, server.url, email);
  const token = await tokenOf(server.url, email, "invitation");
  expect((await browser.mutate("invitations.accept", { token })).status).toBe(200);
  const { id, key } = await mintApiKey(server.owner.db, {
    accountId,
    createdBy: undefined,
    name: "leaky",
  });
  const reported = await ask(server, "", "POST /management/keys/revoke-leaked", [{ token: key }]);
  expect(reported.status).toBe(202);
  const types = ["key.created", "key.leaked", "member.invited", "member.joined"];
  await receiver.waitFor(types.length);
  const told = receiver.received.map(
    ({ headers, body }) => new Webhook(secret).verify(body, headers) as { type: string },
  );
  expect(told.map(({ type }) => type).toSorted()).toEqual(types);
  const data = { key: { id, name: "leaky" }, revoked: true };
  expect(told.find(({ type }) => type === "key.leaked")).toMatchObject({ data });
  expect(told.find(({ type }) => type === "member.joined")).toMatchObject({
    data: { member: { email }, role: "developer" },
  });
  expect(JSON.stringify(told)).not.toContain(key);
});

test("a message is listed with its attempts, and sent again under its own id", async () => {
  await using receiver = startWebhookReceiver();
  const { manage, endpoint } = await openEndpoint(receiver.url);
  await manage("POST /management/keys", { name: "one" });
  await manage("POST /management/keys", { name: "two" });
  await receiver.waitFor(2);
  const accepted = async () => {
    const page = await manage(`GET ${endpoint}/messages?state=accepted&limit=1`);
    return typeof page.next_cursor === "string" ? page : undefined;
  };
  let page = await accepted();
  while (page === undefined) page = await accepted();
  const older = await manage(`GET ${endpoint}/messages?limit=1&cursor=${page.next_cursor}`);
  expect(older.next_cursor).toBeNull();
  const message = `/management/webhook-messages/${at(page, "data.0.id")}`;
  const read = await manage(`GET ${message}`);
  expect(read).toMatchObject({ type: "key.created", state: "accepted", attempts: 1 });
  expect(at(read, "log.0.status")).toBe(204);
  await manage(`POST ${message}/send-again`);
  await receiver.waitFor(3);
  expect(receiver.received[2]?.headers["webhook-id"]).toBe(String(read.webhook_id));
});

test("after a rotation messages carry both signatures", async () => {
  await using receiver = startWebhookReceiver();
  const { manage, endpoint, secret } = await openEndpoint(receiver.url);
  const rotated = await manage(`POST ${endpoint}/rotate-secret`, { overlap_hours: 24 });
  expect(rotated.secret).not.toBe(secret);
  await manage(`POST ${endpoint}/test`);
  await receiver.waitFor(1);
  const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
  for (const one of [secret, String(rotated.secret)]) {
    expect(() => new Webhook(one).verify(body, headers)).not.toThrow();
  }
  await manage(`POST ${endpoint}/disable`);
  const listed = await manage("GET /management/webhooks");
  expect(at(listed, "data.0.disabled_by")).not.toBeNull();
  expect(JSON.stringify(listed)).not.toContain("whsec_");
  await manage(`POST ${endpoint}/enable`);
  await manage(`DELETE ${endpoint}`);
  expect((await manage("GET /management/webhooks")).data).toEqual([]);
});
