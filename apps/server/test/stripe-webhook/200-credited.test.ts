// A payment at Stripe becomes money in the wallet over HTTP, once, whichever way it is reported.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { formatUsd } from "@turnpike/terms";
import {
  expectCleanBooks,
  readMoney,
  startTestServer,
  type TestAccount,
} from "../harness/index.ts";
import {
  openPoorAccount,
  type StripeServer,
  startStripeServer,
} from "../top-up/start-stripe-server.ts";
import { waitForState } from "../top-up/wait-for-state.ts";

let server: StripeServer;

beforeAll(async () => {
  server = await startStripeServer();
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

async function balanceUsd(account: TestAccount): Promise<string> {
  return formatUsd((await readMoney(server, account.id)).balanceNanos);
}

test("a webhook credits the payment, and a repetition does not", async () => {
  const account = await openPoorAccount(server);
  const { topUpId, sessionId } = await server.begin(account, "25");
  server.stripe.pay(sessionId);
  const event = server.stripe.events.at(-1);
  if (event === undefined) throw new Error("no event");
  const deliver = () => server.stripe.deliver(event, { url: server.webhookUrl });
  expect(await Promise.all([deliver(), deliver(), deliver()])).toEqual([200, 200, 200]);
  expect(await waitForState(server, topUpId, "paid")).toBe("paid");
  expect(await deliver()).toBe(200);
  const [row] = await server.owner.sql<{ n: number }[]>`
    select count(*)::int as n from stripe_inbox where event_id = ${event.id}`;
  expect(row?.n).toBe(1);
  expect(await balanceUsd(account)).toBe("25");
});

test("FS3: an event is accepted once it is stored, however long Stripe takes to answer about it", async () => {
  const account = await openPoorAccount(server);
  const { topUpId, sessionId } = await server.begin(account, "25");
  server.stripe.pay(sessionId);
  const event = server.stripe.events.at(-1);
  if (event === undefined) throw new Error("no event");
  const held = server.stripe.hold(new RegExp(sessionId));
  expect(await server.stripe.deliver(event, { url: server.webhookUrl })).toBe(200);
  await held.called;
  expect(await balanceUsd(account)).toBe("0");
  held.release();
  expect(await waitForState(server, topUpId, "paid")).toBe("paid");
});

test("while a secret is rolled, events signed with either are accepted", async () => {
  const previous = "whsec_previous00000000000000000000";
  const rolling = await startStripeServer({
    STRIPE_WEBHOOK_SECRET: `${server.stripe.webhookSecret},${previous}`,
  });
  try {
    const account = await openPoorAccount(rolling);
    const { sessionId } = await rolling.begin(account, "25");
    rolling.stripe.pay(sessionId);
    const [first, second] = rolling.stripe.events;
    if (first === undefined || second === undefined) throw new Error("no events");
    const url = rolling.webhookUrl;
    expect(await rolling.stripe.deliver(first, { url })).toBe(200);
    expect(await rolling.stripe.deliver(second, { url, secret: previous })).toBe(200);
  } finally {
    await rolling.close();
  }
});

test("an unreachable database is a 500, and the event sent again is credited", async () => {
  const account = await openPoorAccount(server);
  const { topUpId, sessionId } = await server.begin(account, "25");
  server.stripe.pay(sessionId);
  const event = server.stripe.events.at(-1);
  if (event === undefined) throw new Error("no event");
  await server.owner.sql`alter table stripe_inbox rename to stripe_inbox_away`;
  try {
    expect(await server.stripe.deliver(event, { url: server.webhookUrl })).toBe(500);
  } finally {
    await server.owner.sql`alter table stripe_inbox_away rename to stripe_inbox`;
  }
  expect(await server.stripe.deliver(event, { url: server.webhookUrl })).toBe(200);
  expect(await waitForState(server, topUpId, "paid")).toBe("paid");
});

test("a payment that no webhook reported is found by reconciliation", async () => {
  const asking = await startStripeServer({}, { reconcileEveryMs: 100 });
  try {
    const account = await openPoorAccount(asking);
    const { topUpId, sessionId } = await asking.begin(account, "25");
    asking.stripe.pay(sessionId);
    expect(await waitForState(asking, topUpId, "paid")).toBe("paid");
    await expectCleanBooks(asking);
  } finally {
    await asking.close();
  }
});

test("a restarted server immediately reconciles what happened while it was down", async () => {
  const account = await openPoorAccount(server);
  const { topUpId, sessionId } = await server.begin(account, "25");
  server.stripe.pay(sessionId);
  const serverTimes = { reconcileEveryMs: 900_000 };
  const back = await startTestServer({ site: server, serverTimes });
  try {
    expect(await waitForState(server, topUpId, "paid")).toBe("paid");
  } finally {
    await back.close();
  }
});
