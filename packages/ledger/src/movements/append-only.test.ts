// The books cannot be edited: the role the server runs as lacks the rights, and triggers stop the
// owner.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { errorCodeOf, type Sql } from "@turnpike/db";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
} from "../open-test-books.fixture.ts";

const denied = "42501";
const restricted = "23001";

let books: TestBooks;
const ids = { settled: "", lease: "", transaction: "", account: "" };
beforeAll(async () => {
  books = await openTestBooks();
  const ledger = books.openLedger();
  const principal = await books.newPrincipal(1_000n);
  const hold = grantOf(await ledger.hold(holdOf(principal, 100n)));
  await ledger.charge(chargeOf(hold, 40n));
  await ledger.drain(60_000);
  // In addition to the lease that is closed and posted, one that is open.
  const open = grantOf(await books.openLedger().hold(holdOf(principal, 100n)));
  await books.app.sql`
    insert into prices (id, model, input_nanos, cached_input_nanos, cache_write_nanos, output_nanos)
    values (${newId<PriceId>()}, 'model', 1, 1, 1, 1)`;
  const [closed] = await books.leases(principal.accountId);
  Object.assign(ids, {
    settled: hold.request.facts.id,
    lease: open.lease.id,
    transaction: closed?.transaction_id,
    account: principal.accountId,
  });
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

async function codeOf(sql: Sql, statement: string): Promise<string | undefined> {
  return sql.unsafe(statement).then(
    () => "allowed",
    (error: unknown) => errorCodeOf(error),
  );
}

async function codesOf(sql: Sql, statements: readonly string[]) {
  const codes: Record<string, string | undefined> = {};
  for (const statement of statements) codes[statement] = await codeOf(sql, statement);
  return codes;
}

function all(statements: readonly string[], code: string) {
  return Object.fromEntries(statements.map((statement) => [statement, code]));
}

const edits = ["entries", "ledger_transactions", "prices"].flatMap((table) => [
  `update ${table} set ${table === "entries" ? "amount_nanos = 0" : "id = id"}`,
  `delete from ${table}`,
  `truncate ${table} cascade`,
]);

describe("as the server's role", () => {
  test("no entry, transaction, price or request is changed or removed", async () => {
    const statements = [
      ...edits,
      "update requests set cost_nanos = 0",
      "delete from requests",
      "truncate requests",
    ];
    expect(await codesOf(books.app.sql, statements)).toEqual(all(statements, denied));
  });

  test("balances, holds and states change only through the functions", async () => {
    const statements = [
      "update accounts set balance_nanos = 1000000",
      "update accounts set held_nanos = 0",
      "update accounts set frozen_at = null",
      "delete from accounts",
      "insert into accounts (id, balance_nanos) values (gen_random_uuid(), 5)",
      `insert into ledger_transactions (id, kind, idempotency_key)
         values (gen_random_uuid(), 'top_up', 'mine')`,
      `insert into entries (account_id, transaction_id, book, amount_nanos)
         values ('${ids.account}', '${ids.transaction}', 'account', 5)`,
      "update api_keys set day_spent_nanos = 0",
      "update api_keys set total_held_nanos = 0, name = 'mine'",
      `insert into requests (account_id, id, state, held_nanos)
         values ('${ids.account}', gen_random_uuid(), 'settled', 5)`,
      `insert into requests (account_id, id, state, held_nanos, charged_nanos, cost_nanos)
         values ('${ids.account}', gen_random_uuid(), 'settled', 5, 5, 5)`,
      "create table mine (id integer)",
      "alter table entries disable trigger all",
    ];
    expect(await codesOf(books.app.sql, statements)).toEqual(all(statements, denied));
  });
});

describe("as the owner", () => {
  test("the triggers refuse what the rights allow", async () => {
    expect(await codesOf(books.owner.sql, edits)).toEqual(all(edits, restricted));
  });

  test("entries that do not sum to zero or belong to no transaction are refused in every book", async () => {
    const id = crypto.randomUUID();
    await books.owner.sql`
      insert into ledger_transactions (id, kind, idempotency_key) values (${id}, 'adjustment', ${id})`;
    const house = "00000000-0000-0000-0000-000000000000";
    const unbalanced = [
      `insert into entries values ('${ids.account}', '${id}', 'account', 5)`,
      `insert into entries values ('${ids.account}', '${id}', 'account', 5),
                                  ('${house}', '${id}', 'adjustments', -4)`,
    ];
    expect(await codesOf(books.owner.sql, unbalanced)).toEqual(all(unbalanced, "23514"));
    const misplaced = [
      `insert into entries values ('${ids.account}', '${id}', 'refunds', 5),
                                  ('${house}', '${id}', 'adjustments', -5)`,
      `insert into entries values ('${house}', '${id}', 'pockets', 5),
                                  ('${house}', '${id}', 'adjustments', -5)`,
    ];
    expect(await codesOf(books.owner.sql, misplaced)).toEqual(all(misplaced, "23514"));
    const stray = crypto.randomUUID();
    const homeless = [
      `insert into entries values ('${ids.account}', '${stray}', 'account', 5),
                                  ('${house}', '${stray}', 'adjustments', -5)`,
    ];
    expect(await codesOf(books.owner.sql, homeless)).toEqual(all(homeless, "23514"));
  });

  test("a request stays as it was written", async () => {
    const statements = [
      `update requests set state = 'late_settled' where id = '${ids.settled}'`,
      `update requests set id = gen_random_uuid() where id = '${ids.settled}'`,
      `update requests set charged_nanos = 0, cost_nanos = 0 where id = '${ids.settled}'`,
    ];
    expect(await codesOf(books.owner.sql, statements)).toEqual(all(statements, restricted));
  });

  test("no lease spends more than it was granted", async () => {
    const statement = `update leases set spent_nanos = granted_nanos + 1 where id = '${ids.lease}'`;
    expect(await codeOf(books.owner.sql, statement)).toBe("23514");
  });

  test("no account is overdrawn unless it is frozen, and no hold is negative", async () => {
    const statements = [
      `update accounts set balance_nanos = held_nanos - 1 where id = '${ids.account}'`,
      `update accounts set held_nanos = -1 where id = '${ids.account}'`,
    ];
    expect(await codesOf(books.owner.sql, statements)).toEqual(all(statements, "23514"));
  });
});
