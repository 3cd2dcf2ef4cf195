// What happens to payments of which a restored database knows nothing: each is credited once, to the account that our
// own checkout names, and to no other.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId, type TopUpId } from "@turnpike/base";
import {
  openTestBilling,
  type StartedPayment,
  type TestBilling,
} from "../open-test-billing.fixture.ts";
import { reconcile } from "./reconcile.ts";

const dollars = 1_000_000_000n;

let site: TestBilling;
beforeAll(async () => {
  site = await openTestBilling();
});
afterAll(async () => {
  expect(await site.check()).toEqual([]);
  await site.close();
});

/** As after the restore of a backup from before the order. */
async function forget({ topUpId }: StartedPayment): Promise<void> {
  await site.owner.sql`delete from top_ups where id = ${topUpId}`;
}

test("an order, and the customer of its account, that were lost are restored, credited once, and refunds are taken", async () => {
  const payer = await site.newPayer();
  const paid = await site.start(payer, "25");
  const refunded = await site.start(payer, "10");
  site.stripe.pay(paid.sessionId);
  site.stripe.refund(site.stripe.pay(refunded.sessionId), 400);
  await forget(paid);
  await forget(refunded);
  await site.owner.sql`
    update accounts set stripe_customer_id = null where id = ${payer.accountId}`;
  await Promise.all([1, 2].map(() => reconcile(site.app.db, site.billing)));
  await reconcile(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(31n * dollars);
  const rows = await site.owner.sql`
    select id, state from top_ups where account_id = ${payer.accountId} order by id`;
  expect(rows.map(({ state }) => state)).toEqual(["paid", "paid"]);
});

test("a checkout that is unpaid, of another mode or program, or whose account is unknown restores nothing", async () => {
  const payer = await site.newPayer();
  const other = newId<TopUpId>();
  const changes = [
    { client_reference_id: other },
    { currency: "eur" },
    { livemode: true },
    { metadata: {} },
    { metadata: { top_up_id: other, account_id: payer.accountId } },
  ];
  const open = await site.start(payer, "10");
  await forget(open);
  for (const change of changes) {
    const started = await site.start(payer, "10");
    site.stripe.mutate(started.sessionId, change);
    site.stripe.pay(started.sessionId);
    await forget(started);
  }
  const stranded = await site.start(payer, "10");
  const metadata = { top_up_id: stranded.topUpId, account_id: newId<TopUpId>() };
  site.stripe.mutate(stranded.sessionId, { metadata });
  site.stripe.pay(stranded.sessionId);
  await forget(stranded);
  expect(await reconcile(site.app.db, site.billing)).toMatchObject({ failed: 0 });
  expect(await site.balance(payer)).toBe(0n);
  const rows = await site.owner.sql`select from top_ups where account_id = ${payer.accountId}`;
  expect(rows).toHaveLength(0);
});
