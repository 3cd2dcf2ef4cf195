// Events reach real HTTP receivers, signed as the specification says, again and again until they are accepted, and
// every attempt is in the log.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { accountLimits } from "@turnpike/accounts";
import { claimItems } from "@turnpike/queue";
import { startWebhookReceiver } from "@turnpike/testing";
import { Webhook } from "standardwebhooks";
import { rotateSecret, setEndpointDisabled, updateEndpoint } from "./change-endpoints.ts";
import { keyCreated, openTestWebhooks, type TestWebhooks } from "./open-test-webhooks.fixture.ts";
import { listEndpoints, listMessages, queryMessage } from "./query-webhooks.ts";
import { sendAgain, sendTest } from "./send-again.ts";
import { webhookQueue } from "./webhook-queue.ts";

let site: TestWebhooks;

beforeAll(async () => {
  site = await openTestWebhooks();
});
afterAll(() => site.close());

const limits = { throttles: accountLimits };
const refusal = () => new Response("not today", { status: 503 });
const dayMs = 86_400_000;
const { retryAfterSeconds } = webhookQueue;

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
    ...keyCreated,
    timestamp: expect.any(String),
    account_id: by.account.id,
  });
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["webhook-id"]).toMatch(/^evt_[0-9a-f]{32}$/);
  const { rows } = await listMessages(site.db, by.account.id, { endpointId: id, limit: 10 });
  expect(rows).toMatchObject([
    { type: "key.created", state: "accepted", attempts: 1, status: 204 },
  ]);
  const detail = rows[0] && (await queryMessage(site.db, by.account.id, rows[0].id));
  expect(detail?.body).toBe(body);
  expect(detail?.log).toMatchObject([{ number: 1, status: 204, error: null }]);
});

test("a refused message is tried ten times within three days, under one id, and its endpoint disabled with a mail", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  const { id, secret } = await site.addEndpoint(by, receiver.url);
  await site.queue(by);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    receiver.answers.push(refusal);
    await site.sender.idle();
    const [message] = await site.messagesOf(by);
    expect(message?.attempts).toBe(attempt);
    if (message?.state === "waiting") waits.push(message.wait);
    await site.makeDue(by);
  }
  for (const [at, seconds] of retryAfterSeconds.entries()) {
    expect(waits[at]).toBeGreaterThan(seconds - 5);
    expect(waits[at]).toBeLessThan(seconds * 1.1 + 1);
  }
  const whole = retryAfterSeconds.reduce((sum, seconds) => sum + seconds, 0) * 1_000;
  expect(whole).toBeGreaterThan(2.9 * dayMs);
  expect(whole).toBeLessThan(3.1 * dayMs);
  expect(receiver.received).toHaveLength(10);
  const ids = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
  expect(ids.size).toBe(1);
  for (const { headers, body } of receiver.received) new Webhook(secret).verify(body, headers);
  expect(await site.messagesOf(by)).toMatchObject([{ state: "failed", attempts: 10 }]);
  expect(await listEndpoints(site.db, by.account.id)).toMatchObject([
    { id, disabledBy: "failures" },
  ]);
  const mails = await site.owner.sql<{ message: unknown }[]>`
    select message from outbox where recipient = ${by.person.email}`;
  expect(mails.map(({ message }) => message)).toEqual([
    {
      kind: "webhook_disabled",
      accountName: "Acme",
      url: receiver.url,
      reason: "it accepted no message for three days.",
      link: `http://console.test/a/${by.account.slug}/settings/webhooks`,
    },
  ]);
  const audit = await site.owner.sql`
    select action, actor_kind, actor_name from audit_log
     where account_id = ${by.account.id} and action = 'webhook.disable'`;
  expect([...audit]).toMatchObject([{ actor_kind: "system", actor_name: "webhooks" }]);
});

test("an endpoint that accepts other messages is not disabled by one that it always refuses", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  await site.addEndpoint(by, receiver.url);
  await site.queue(by);
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    receiver.answers.push(refusal);
    await site.sender.idle();
    await site.makeDue(by);
  }
  receiver.answers.push(refusal);
  await site.sender.idle();
  expect(await listEndpoints(site.db, by.account.id)).toMatchObject([{ disabledBy: "failures" }]);

  const other = await site.addOwner();
  await site.addEndpoint(other, receiver.url);
  await site.queue(other);
  receiver.answers.push(refusal);
  await site.sender.idle();
  await site.queue(other);
  await site.sender.idle();
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    await site.makeDue(other);
    receiver.answers.push(refusal);
    await site.sender.idle();
  }
  const states = (await site.messagesOf(other)).map(({ state }) => state);
  expect(states).toEqual(["failed", "accepted"]);
  expect(await listEndpoints(site.db, other.account.id)).toMatchObject([{ disabledBy: null }]);
});

test("410 disables an endpoint at once, and cancels what waits for it", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  await site.addEndpoint(by, receiver.url);
  await site.queue(by);
  receiver.answers.push(refusal);
  await site.sender.idle();
  await site.queue(by);
  receiver.answers.push(() => new Response(null, { status: 410 }));
  await site.sender.idle();
  expect(await listEndpoints(site.db, by.account.id)).toMatchObject([{ disabledBy: "gone" }]);
  const states = (await site.messagesOf(by)).map(({ state }) => state);
  expect(states).toEqual(["canceled", "failed"]);
});

test("what was sent and not recorded is sent again under the same id", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  await site.addEndpoint(by, receiver.url);
  await site.queue(by);
  // A worker that claims and dies: whether it has sent anything is unknown.
  const [claimed] = await claimItems(site.db, webhookQueue, 10);
  await site.sender.idle();
  expect(receiver.received).toHaveLength(0);
  await site.makeDue(by);
  await site.sender.idle();
  const [request] = receiver.received;
  expect(request?.headers["webhook-id"]).toBe(`evt_${claimed?.eventId.replaceAll("-", "")}`);
  expect(await site.messagesOf(by)).toMatchObject([{ state: "accepted", attempts: 2 }]);
});

test("several senders send each message once, and at most five at a time to one endpoint", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  await site.addEndpoint(by, receiver.url);
  const held: (() => void)[] = [];
  for (let index = 0; index < 5; index += 1) {
    receiver.answers.push(async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return new Response();
    });
  }
  for (let index = 0; index < 20; index += 1) await site.queue(by);
  const senders = [site.openSender(), site.openSender(), site.openSender()];
  await Promise.all(senders.map((sender) => sender.work()));
  await receiver.waitFor(5);
  await Promise.all(senders.map((sender) => sender.work()));
  expect(receiver.received.length).toBe(5);
  for (const release of held) release();
  await Promise.all(senders.map((sender) => sender.idle()));
  await Promise.all(senders.map((sender) => sender.close()));
  const ids = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
  expect(receiver.received).toHaveLength(20);
  expect(ids.size).toBe(20);
  expect((await site.messagesOf(by)).every(({ state }) => state === "accepted")).toBe(true);
});

test("a receiver that hangs delays no other one", async () => {
  await using slow = startWebhookReceiver();
  await using fast = startWebhookReceiver();
  const released = Promise.withResolvers<void>();
  slow.answers.push(async () => {
    await released.promise;
    return new Response();
  });
  const [one, two] = [await site.addOwner(), await site.addOwner()];
  await site.addEndpoint(one, slow.url);
  await site.addEndpoint(two, fast.url);
  await site.queue(one);
  await site.sender.work();
  await slow.waitFor(1);
  await site.queue(two);
  await site.sender.work();
  await fast.waitFor(1);
  expect(await site.messagesOf(one)).toMatchObject([{ state: "waiting" }]);
  released.resolve();
  await site.sender.idle();
  expect(await site.messagesOf(one)).toMatchObject([{ state: "accepted" }]);
});

test("after a rotation both secrets sign until the overlap is over, or only the new one", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  const { id, secret: old } = await site.addEndpoint(by, receiver.url);
  const { secret: current } = await rotateSecret(site.db, site.webhooks, by, {
    id,
    overlapHours: 24,
  });
  await site.queue(by);
  await site.sender.idle();
  await site.owner.sql`update webhook_endpoints set previous_until = now() where id = ${id}`;
  await site.queue(by);
  await site.sender.idle();
  const [both, over] = receiver.received;
  for (const secret of [old, current])
    new Webhook(secret).verify(both?.body ?? "", both?.headers ?? {});
  new Webhook(current).verify(over?.body ?? "", over?.headers ?? {});
  expect(() => new Webhook(old).verify(over?.body ?? "", over?.headers ?? {})).toThrow();
  const { secret: last } = await rotateSecret(site.db, site.webhooks, by, { id, overlapHours: 0 });
  await site.queue(by);
  await site.sender.idle();
  const newest = receiver.received.at(-1);
  new Webhook(last).verify(newest?.body ?? "", newest?.headers ?? {});
  expect(newest?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
});

test("disabled, an endpoint gets nothing, then or later; sent again, it gets the same event", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  const { id } = await site.addEndpoint(by, receiver.url);
  await site.queue(by);
  await setEndpointDisabled(site.db, by, id, true);
  await site.queue(by);
  await site.sender.idle();
  await setEndpointDisabled(site.db, by, id, false);
  await site.sender.idle();
  expect(receiver.received).toHaveLength(0);
  const { rows } = await listMessages(site.db, by.account.id, { endpointId: id, limit: 10 });
  expect(rows).toMatchObject([{ state: "canceled" }]);
  const [canceled] = rows;
  if (canceled === undefined) throw new Error("nothing was canceled");
  await sendAgain(site.db, limits, by, canceled.id);
  await sendAgain(site.db, limits, by, canceled.id);
  await site.sender.idle();
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual(Array(2).fill(`evt_${canceled.eventId.replaceAll("-", "")}`));
});

test("a test event is sent once, whatever the endpoint wants, and its failure disables nothing", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  const { id } = await site.addEndpoint(by, receiver.url, { eventTypes: ["top_up.failed"] });
  receiver.answers.push(refusal);
  await sendTest(site.db, limits, by, id);
  await site.sender.idle();
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ type: "webhook.test" });
  expect(await site.messagesOf(by)).toMatchObject([{ state: "failed", attempts: 1 }]);
  expect(await listEndpoints(site.db, by.account.id)).toMatchObject([{ disabledBy: null }]);
});

test("what waits for an endpoint goes to its new URL", async () => {
  await using receiver = startWebhookReceiver();
  const by = await site.addOwner();
  const { id } = await site.addEndpoint(by, "http://127.0.0.1:9/");
  await site.queue(by);
  await site.sender.idle();
  const [failed] = await site.messagesOf(by);
  expect(failed).toMatchObject({ state: "waiting", attempts: 1 });
  const moved = { url: receiver.url, description: "", eventTypes: null };
  await updateEndpoint(site.db, site.webhooks, by, id, moved);
  await site.makeDue(by);
  await site.sender.idle();
  expect(receiver.received).toHaveLength(1);
});
