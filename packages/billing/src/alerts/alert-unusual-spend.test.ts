// Mails about unusual spending: one a day, only far above what is usual, and none where it is turned off.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ApiKeyId, newId } from "@turnpike/base";
import { operator } from "@turnpike/db";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { alertUnusualSpend, setTellsUnusualSpend } from "./alert-unusual-spend.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterAll(() => site.close());

const now = new Date("2026-03-16T12:00:00Z");
const alert = (at = now) => alertUnusualSpend(site.app.db, "https://turnpike.example", at);

let ordinal = 0;

type Spent = { readonly at: string; readonly usd: number; readonly keyId?: ApiKeyId };

/** As the roll-up would have left it: days before in blocks, today in quarters. */
async function spend(payer: Payer, { at, usd, keyId }: Spent, model = "m/one"): Promise<void> {
  ordinal += 1;
  const isBlock = !at.includes("T");
  const table = site.owner.sql(isBlock ? "usage_blocks" : "usage_quarter_hours");
  const { sql } = site.owner;
  const minutes = isBlock ? sql`, minutes` : sql``;
  await sql`
    insert into ${table} (account_id, quarter, key_id, model, provider, origin, operation, class, error_code, calls,
      free_calls, charged_nanos, shortfall_nanos, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
      reasoning_tokens, costed_calls, known_calls, known_charged_nanos, operator_cost_nanos, ordinal ${minutes})
    select ${payer.accountId}, ${isBlock ? `${at}T00:00:00Z` : at}, ${keyId ?? null}, ${model}, 'p', 'api', 'chat',
      'completed', '', 1, 0, ${`${usd}000000000`}, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
      ${ordinal} ${isBlock ? sql`, 1440` : sql``}`;
}

async function mailsTo(payer: Payer): Promise<unknown[]> {
  const rows = await site.owner.sql<{ message: unknown }[]>`
    select message from outbox where recipient = ${payer.email} order by created_at`;
  return rows.map(({ message }) => message);
}

/** Who spent at most $6 on each of three days. */
async function usualPayer(): Promise<Payer> {
  const payer = await site.newPayer();
  await spend(payer, { at: "2026-03-05", usd: 3 });
  await spend(payer, { at: "2026-03-10", usd: 6 });
  await spend(payer, { at: "2026-03-15", usd: 2 });
  // Too long ago to be usual.
  await spend(payer, { at: "2026-03-01", usd: 500 });
  return payer;
}

test("a day of more than twice the costliest is reported once, with its key and model, however many jobs run", async () => {
  const payer = await usualPayer();
  const keyId = newId<ApiKeyId>();
  await site.owner.sql`insert into api_keys (account_id, id, name, hash, masked)
    values (${payer.accountId}, ${keyId}, 'runaway', ${Buffer.from(keyId)}, 'masked')`;
  await spend(payer, { at: "2026-03-16T01:00:00Z", usd: 12, keyId });
  await alert();
  expect(await mailsTo(payer)).toEqual([]);
  await spend(payer, { at: "2026-03-16T02:00:00Z", usd: 5 }, "m/two");
  const told = await Promise.all([alert(), alert(), alert()]);
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(1);
  await alert();
  expect(await mailsTo(payer)).toEqual([
    {
      kind: "unusual_spend",
      day: "2026-03-16",
      spentUsd: "17",
      usualUsd: "6",
      keyName: "runaway",
      keyUsd: "12",
      model: "m/one",
      modelUsd: "12",
      link: expect.stringMatching(/^https:\/\/turnpike\.example\/a\/[\w-]+\/usage$/),
    },
  ]);
  await spend(payer, { at: "2026-03-17T02:00:00Z", usd: 900 });
  await alert(new Date("2026-03-17T12:00:00Z"));
  expect(await mailsTo(payer)).toHaveLength(2);
});

test("a small account, a new account and one that turned it off are told nothing", async () => {
  const small = await site.newPayer();
  for (const at of ["2026-03-13", "2026-03-14", "2026-03-15"]) await spend(small, { at, usd: 1 });
  await spend(small, { at: "2026-03-16T01:00:00Z", usd: 9 });
  const fresh = await site.newPayer();
  for (const at of ["2026-03-14", "2026-03-15"]) await spend(fresh, { at, usd: 1 });
  await spend(fresh, { at: "2026-03-16T01:00:00Z", usd: 90 });
  const off = await usualPayer();
  await setTellsUnusualSpend(site.app.db, off.accountId, false, operator);
  await spend(off, { at: "2026-03-16T01:00:00Z", usd: 90 });
  await alert();
  for (const payer of [small, fresh, off]) expect(await mailsTo(payer)).toEqual([]);
});
