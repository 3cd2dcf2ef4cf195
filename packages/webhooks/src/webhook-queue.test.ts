// The queue of messages as operators change it: a waiting message is sent at once or canceled.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { discardItem, queryQueue, retryItem } from "@turnpike/queue";
import { startWebhookReceiver } from "@turnpike/testing";
import { openTestWebhooks, type TestWebhooks } from "./open-test-webhooks.fixture.ts";
import { listFailingEndpoints, webhookQueue } from "./webhook-queue.ts";

let site: TestWebhooks;
beforeAll(async () => {
  site = await openTestWebhooks();
});
afterAll(() => site.close());

const refusal = () => new Response("not today", { status: 503 });

test("an operator sees which messages wait after a failure, has one sent at once and cancels another", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  await site.addEndpoint(by, receiver.url);
  receiver.answers.push(refusal, refusal);
  await site.queue(by);
  await site.queue(by);
  await site.sender.idle();
  const ofIt = async () => {
    const { rows } = await queryQueue(site.db, webhookQueue);
    const failing = await listFailingEndpoints(site.db);
    const accountId = by.account.id;
    expect(failing.filter((one) => one.accountId === accountId)).toHaveLength(1);
    return rows.filter((row) => row.accountId === accountId);
  };
  const [first, second] = await ofIt();
  if (first === undefined || second === undefined) throw new Error("nothing waits");
  expect(first).toMatchObject({ account: "Acme", attempts: 1, url: receiver.url });
  expect(first.error).toContain("503");

  const keyOf = ({ accountId, id }: typeof first) => [accountId, id];
  await discardItem(site.db, webhookQueue, keyOf(second));
  await retryItem(site.db, webhookQueue, keyOf(first));
  await site.sender.idle();
  expect(receiver.received).toHaveLength(3);
  expect((await site.messagesOf(by)).map(({ state }) => state).sort()).toEqual([
    "accepted",
    "canceled",
  ]);
  const again = retryItem(site.db, webhookQueue, keyOf(second));
  expect(await again.catch((thrown: unknown) => thrown)).toMatchObject({ code: "not_found" });
});
