// Webhook endpoints are told of money that comes in, does not come in, or runs low: once each, in the transaction
// that does it.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { newId, type WebhookEndpointId } from "@turnpike/base";
import { webhookEndpoints } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { alertLowBalance, setLowBalanceAlert } from "../alerts/alert-low-balance.ts";
import { workInbox } from "../inbox/work-inbox.ts";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterEach(async () => {
  expect(await site.check()).toEqual([]);
});
afterAll(() => site.close());

async function newPayerWithEndpoint(): Promise<Payer> {
  const payer = await site.newPayer();
  const { accountId } = payer;
  const id = newId<WebhookEndpointId>();
  const secret = new Uint8Array(1);
  await site.app.db
    .insert(webhookEndpoints)
    .values({ accountId, id, url: "https://hooks.example/", secret });
  return payer;
}

async function eventsOf({ accountId }: Payer): Promise<unknown[]> {
  const rows = await site.owner.sql<{ body: string }[]>`
    select body from webhook_events where account_id = ${accountId} order by id`;
  return rows.map(({ body }) => {
    const { type, data } = JSON.parse(body);
    return { type, data };
  });
}

/** Twice, as Stripe may. */
async function receiveEvents(): Promise<void> {
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
}

test("a paid top-up is told once", async () => {
  const payer = await newPayerWithEndpoint();
  const { topUpId, sessionId } = await site.start(payer, "10.01");
  site.stripe.pay(sessionId);
  await receiveEvents();
  const top_up = { id: topUpId, amount_usd: "10.01" };
  expect(await eventsOf(payer)).toEqual([
    { type: "top_up.succeeded", data: { top_up, balance_usd: "10.01" } },
  ]);
});

test("a failed payment is told once, and a checkout that nobody paid is not", async () => {
  const payer = await newPayerWithEndpoint();
  const { topUpId, sessionId } = await site.start(payer, "20");
  site.stripe.payLater(sessionId);
  await receiveEvents();
  expect(await eventsOf(payer)).toEqual([]);
  site.stripe.settle(sessionId, "failed");
  await receiveEvents();
  const events = await eventsOf(payer);
  const top_up = { id: topUpId, amount_usd: "20" };
  expect(events).toMatchObject([{ type: "top_up.failed", data: { top_up } }]);
});

test("a balance below its level is told once, with both amounts", async () => {
  const payer = await newPayerWithEndpoint();
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  await alertLowBalance(site.app.db, "https://turnpike.example");
  await alertLowBalance(site.app.db, "https://turnpike.example");
  expect(await eventsOf(payer)).toEqual([
    { type: "balance.low", data: { available_usd: "0", alert_usd: "5" } },
  ]);
});
