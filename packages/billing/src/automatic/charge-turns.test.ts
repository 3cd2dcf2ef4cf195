// How often automatic top-ups charge: for what calls spent, at most once an hour unless they spent the former charge, and
// every account in its turn.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { queryAutoTopUp, setAutoTopUp } from "./auto-top-up.ts";
import {
  type Changes,
  charges,
  dollars,
  newSaver,
  newUser,
  usual,
} from "./charged-payer.fixture.ts";
import { topUpAutomatically } from "./top-up-automatically.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
beforeEach(() => site.stripe.answerCharges("succeeded"));
afterEach(async () => {
  expect(await site.check()).toEqual([]);
  await site.owner.sql`update auto_top_ups set enabled = false`;
});
afterAll(() => site.close());

const run = () => topUpAutomatically(site.app.db, site.billing);
const settings = (payer: Payer) => queryAutoTopUp(site.app.db, payer.accountId);
const set = (payer: Payer, changes: Changes = {}) =>
  setAutoTopUp(site.app.db, site.billing, payer.accountId, { ...usual, ...changes });

/** An hour later, as far as charges know. */
const passHour = ({ accountId }: Payer) => site.owner.sql`
  update top_ups set created_at = created_at - interval '61 minutes' where account_id = ${accountId}`;

test("an account that is below when it is turned on is charged once, and is above then", async () => {
  const payer = await newUser(site);
  await run();
  await run();
  expect(await charges(site, payer)).toEqual(["paid"]);
  expect(await site.balance(payer)).toBe(30n * dollars);
});

test("an hour lies between two charges, unless calls spent the former", async () => {
  const payer = await newUser(site);
  await run();
  await site.spend(payer, 19n * dollars);
  await run();
  expect(await charges(site, payer)).toEqual(["paid"]);
  await site.spend(payer, 1n * dollars);
  await run();
  expect(await charges(site, payer)).toEqual(["paid", "paid"]);
});

test("an hour later less than that is enough", async () => {
  const payer = await newUser(site);
  await run();
  await site.spend(payer, 16n * dollars);
  await run();
  expect(await charges(site, payer)).toEqual(["paid"]);
  await passHour(payer);
  await run();
  expect(await charges(site, payer)).toEqual(["paid", "paid"]);
});

test("a top-up below the threshold is refused", async () => {
  const payer = await newSaver(site);
  const change = { thresholdNanos: toNanos(60n * dollars), amountUsd: "5" };
  expect(set(payer, change)).rejects.toThrow("A top-up must be at least the threshold of $60");
  expect(await settings(payer)).toMatchObject({ enabled: false });
});

test("settings from before that are below it charge for what calls spend, not every minute", async () => {
  const payer = await newUser(site, { amountUsd: "5", thresholdNanos: toNanos(5n * dollars) });
  await site.owner.sql`update auto_top_ups set threshold_nanos = 60000000000, due_spent_nanos = null
    where account_id = ${payer.accountId}`;
  for (let times = 0; times < 3; times += 1) await run();
  expect(await charges(site, payer)).toEqual(["paid"]);
  await passHour(payer);
  await run();
  expect(await charges(site, payer)).toEqual(["paid"]);
  await site.spend(payer, 1n * dollars);
  await run();
  expect(await charges(site, payer)).toEqual(["paid", "paid"]);
});

test("every account has its turn, however many are done for the month", async () => {
  const done = 260;
  await site.owner.sql`insert into accounts (id, name, balance_nanos, credited_nanos)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'done', 0, 0
      from generate_series(1, ${done}) n`;
  await site.owner.sql`insert into auto_top_ups (account_id, enabled, threshold_nanos, amount_nanos,
      ceiling_nanos, payment_method_id, due_spent_nanos, ceiling_told_at)
    select id, true, 5000000000, 10000000000, 10000000000, 'pm_done', -1,
           case when right(id::text, 1) in ('0', '1') then now() end from accounts where name = 'done'`;
  await site.owner
    .sql`insert into top_ups (id, account_id, amount_nanos, state, processor, payment_method_id, created_at)
    select gen_random_uuid(), id, 10000000000, 'quarantined', 'stripe', 'pm_done',
           date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' from accounts where name = 'done'`;
  const payer = await newUser(site);
  await run();
  expect(await charges(site, payer)).toEqual(["paid"]);
  await site.owner.sql`delete from top_ups where payment_method_id = 'pm_done'`;
});

test("charges for which Stripe fails delay no other", async () => {
  const [first, second] = [await newUser(site), await newUser(site)];
  const repair = site.stripe.breakDown(500, /^\/payment_intents/);
  await run();
  repair();
  await run();
  expect([await charges(site, first), await charges(site, second)]).toEqual([["paid"], ["paid"]]);
});
