// The queue of messages as operators change it: a waiting message is sent at once or canceled, on record for its account.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startWebhookReceiver } from "@turnpike/testing";
import { openTestWebhooks, type TestWebhooks } from "./open-test-webhooks.fixture.ts";
import { discardMessage, readWebhookQueue, retryMessage } from "./webhook-queue.ts";

let site: TestWebhooks;
beforeAll(async () => {
  site = await openTestWebhooks();
});
afterAll(() => site.close());

const refusal = () => new Response("not today", { status: 503 });

test("an operator sees which messages wait after a failure, has one sent at once and cancels another", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  const actor = { kind: "operator", name: "ada@example.com" } as const;
  await site.addEndpoint(by, receiver.url);
  receiver.answers.push(refusal, refusal);
  await site.queue(by);
  await site.queue(by);
  await site.sender.idle();
  const ofIt = async () => {
    const { rows, failing } = await readWebhookQueue(site.db);
    const accountId = by.account.id;
    expect(failing.filter((one) => one.accountId === accountId)).toHaveLength(1);
    return rows.filter((row) => row.accountId === accountId);
  };
  const [first, second] = await ofIt();
  if (first === undefined || second === undefined) throw new Error("nothing waits");
  expect(first).toMatchObject({ account: "Acme", attempts: 1, url: receiver.url });
  expect(first.error).toContain("503");

  await discardMessage(site.db, second, actor);
  await retryMessage(site.db, first, actor);
  await site.sender.idle();
  expect(receiver.received).toHaveLength(3);
  expect((await site.messagesOf(by)).map(({ state }) => state).sort()).toEqual([
    "accepted",
    "canceled",
  ]);
  const refused = await retryMessage(site.db, second, actor).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ code: "not_found" });
  const rows = await site.owner.sql<{ action: string }[]>`
    select action from audit_log where account_id = ${by.account.id} and actor_kind = 'operator'`;
  expect(rows.map(({ action }) => action)).toEqual(["webhook.discard", "webhook.retry"]);
});
