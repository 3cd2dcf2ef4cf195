// Checking an account's top-ups with Stripe again: how many, and which first.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId, type TopUpId } from "@turnpike/base";
import { openTestBilling, type TestBilling } from "../open-test-billing.fixture.ts";
import { recheckTopUps } from "./recheck-top-up.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterAll(() => site.close());

test("an account's latest hundred top-ups are checked, the newest first", async () => {
  const { accountId } = await site.newPayer();
  const oldestFirst = Array.from({ length: 101 }, () => newId<TopUpId>());
  await site.owner.sql`
    insert into top_ups (id, account_id, amount_nanos, processor, created_at)
    select id, ${accountId}, 1000000000, 'stripe', now() + place * interval '1 second'
      from unnest(${`{${oldestFirst.join(",")}}`}::uuid[]) with ordinality as made (id, place)`;
  const checked = await recheckTopUps(site.app.db, site.billing, accountId);
  expect(checked.map(({ id }) => id)).toEqual(oldestFirst.slice(1).toReversed());
});
