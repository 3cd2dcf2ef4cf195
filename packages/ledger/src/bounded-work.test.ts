// The database cost of one settlement must not grow with the amount of other data.
// The functions are planned while their tables are new and have no statistics.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import { arrayLiteral } from "@turnpike/db";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
} from "./open-test-books.fixture.ts";

const others = 400;
const requestsEach = 20;
/** Of 8 KiB. Twice what they read today. */
const pagesMax = 120;

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
  await books.owner.sql.begin(async (sql) => {
    await sql`insert into accounts (id, name) select gen_random_uuid(), 'a' from generate_series(1, ${others})`;
    await sql`
      insert into requests (account_id, id, state)
      select a.id, overlay(uuid7_floor(now())::text placing substr(gen_random_uuid()::text, 10) from 10)::uuid, 'released'
        from accounts a, generate_series(1, ${requestsEach})`;
    await sql`
      insert into ledger_transactions (id, kind, idempotency_key)
      select gen_random_uuid(), 'adjustment', 'made ' || i from generate_series(1, ${others * requestsEach}) i`;
  });
});
afterAll(() => books.close());

type Plan = { readonly Plan: Readonly<Record<string, number>> };

/** Runs one settlement as the owner and returns how many pages it touched. */
async function pagesOf(statement: string): Promise<number> {
  const [row] = await books.owner.sql.unsafe<{ "QUERY PLAN": [Plan] }[]>(
    `explain (analyze, buffers, format json) ${statement}`,
  );
  const plan = row?.["QUERY PLAN"][0].Plan ?? {};
  return Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
}

const writings = [
  { name: "charge_requests", write: (value: string | null) => `'${arrayLiteral([value])}'` },
  { name: "charge_single_request", write: (value: string | null) => value && `'${value}'` },
];

test.each(writings)(
  "$name reads the same few pages however many other calls there are",
  async (by) => {
    const ledger = books.openLedger();
    const principal = await books.newPrincipal(1_000_000n);
    const pages: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const hold = grantOf(await ledger.hold(holdOf(principal, 100n)));
      const { request, lease } = hold;
      const ids = [request.id, principal.accountId, lease.id, principal.keyId];
      const texts = `released,100,100,0,1,api,t,a,m,${newId()},false,1,1,0,0,0,upstream`.split(",");
      const ends = "completed,,stop,stop,p,u,[],1,1,1,chat,0,".split(",");
      const values = [...ids, ...texts, null, "200", ...ends.map((value) => value || null)];
      const given = values.map((value) => by.write(value) ?? "null").join(", ");
      pages.push(await pagesOf(`select * from ${by.name}('${books.instanceId}', ${given})`));
      await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
    }
    // The first one in a session reads the database's own catalogue as well.
    expect(Math.min(...pages)).toBeLessThan(pagesMax);
    expect(await books.check()).toEqual([]);
  },
);
