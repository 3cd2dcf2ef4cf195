// The checker of the schedule: errors in what changed are found and reported until they are fixed;
// what was found right is marked and not read again, however old it gets.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { GenerationId } from "@turnpike/base";
import { connectDatabase, type Db } from "@turnpike/db";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { checkRecentBooks } from "./check-recent-books.ts";
import { damages, fillBooks, lookAtDamage, type Sample } from "./damage-books.fixture.ts";

const clean = { violations: [], checkedLeases: 0 };

async function checksOf(db: Db): Promise<string[]> {
  return (await checkRecentBooks(db)).violations.map((violation) => violation.check);
}

/** One call of its own lease, closed. */
async function callAndClose(
  books: TestBooks,
  principal: Principal,
  id?: GenerationId,
): Promise<void> {
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 100n, {}, id && { id })));
  await ledger.charge(chargeOf(hold, 40n));
  await ledger.drain(60_000);
}

describe("what is new since the last clean run", () => {
  let books: TestBooks;
  let sample: Sample;
  beforeAll(async () => {
    books = await openTestBooks();
    sample = await fillBooks(books);
  });
  afterAll(() => books.close());

  test("clean books have nothing to report", async () => {
    expect(await lookAtDamage(books, [], checksOf)).toEqual([]);
  });

  for (const [index, [name, statement]] of damages.entries()) {
    test(`it finds (${index + 1}): ${name}`, async () => {
      expect(await lookAtDamage(books, [statement(sample)], checksOf)).toContain(name);
    });
  }
});

describe("what was found right", () => {
  let books: TestBooks;
  let principal: Principal;
  beforeAll(async () => {
    books = await openTestBooks();
    principal = await books.newPrincipal(1_000_000n);
  });
  afterAll(() => books.close());

  test("a closed lease is compared once: its requests are not read again", async () => {
    await callAndClose(books, principal);
    expect(await checkRecentBooks(books.app.db)).toEqual({ violations: [], checkedLeases: 1 });
    const [lease] = await books.leases(principal.accountId);
    expect(lease?.checked_at).toBeString();
    expect(await checkRecentBooks(books.app.db)).toEqual(clean);
    const damage = `update requests set charged_nanos = 39 where lease_id = '${lease?.id}'`;
    expect(await lookAtDamage(books, [damage], checksOf)).toEqual([]);
  });

  test("an open lease is compared, but marked only once it is closed", async () => {
    const ledger = books.openLedger();
    const hold = grantOf(await ledger.hold(holdOf(principal, 100n)));
    expect(await checkRecentBooks(books.app.db)).toEqual(clean);
    await ledger.charge(chargeOf(hold, 40n));
    await ledger.drain(60_000);
    expect(await checkRecentBooks(books.app.db)).toEqual({ violations: [], checkedLeases: 1 });
  });

  test("a call that was charged hours after it arrived still belongs to its lease", async () => {
    const hoursAgo = Bun.randomUUIDv7("hex", Date.now() - 3 * 3_600_000);
    const dashed = hoursAgo.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    await callAndClose(books, principal, dashed as GenerationId);
    expect(await checkRecentBooks(books.app.db)).toEqual({ violations: [], checkedLeases: 1 });
  });

  test("while something is wrong nothing is marked, and every run reports it", async () => {
    await callAndClose(books, principal);
    const change = (by: number) => books.owner.sql`
      update accounts set balance_nanos = balance_nanos + ${by} where id = ${principal.accountId}`;
    await change(1);
    const wrong = { check: "a balance is not the sum of its entries", key: principal.accountId };
    const found = { violations: [wrong], checkedLeases: 0 };
    expect(await checkRecentBooks(books.app.db)).toEqual(found);
    expect(await checkRecentBooks(books.app.db)).toEqual(found);
    await change(-1);
    expect(await checkRecentBooks(books.app.db)).toEqual({ violations: [], checkedLeases: 1 });
  });

  test("an entry that became visible long after its id was created is not a violation", async () => {
    await books.owner.sql`
      update book_checks set through = now() + interval '1 minute', balance_nanos = balance_nanos - 7
       where account_id = ${principal.accountId}`;
    await callAndClose(books, principal);
    expect((await checkRecentBooks(books.app.db)).violations).toEqual([]);
    expect(await books.check()).toEqual([]);
  });
});

describe("the cost of a run", () => {
  let books: TestBooks;
  beforeAll(async () => {
    books = await openTestBooks();
  });
  afterAll(() => books.close());

  /** Hourly leases of a key, six weeks old and older, each with one call; closed and checked. */
  async function insertHistory(principal: Principal, leases: number): Promise<void> {
    const { accountId, keyId } = principal;
    await books.owner.sql.begin(async (sql) => {
      await sql`
        create temp table history on commit drop as
        select i, gen_random_uuid() as tail, x.hour,
               overlay(uuid7_floor(x.hour)::text placing right(gen_random_uuid()::text, 17) from 20)::uuid as id
          from generate_series(1, ${leases}::int) i
         cross join lateral (select date_trunc('hour', now() - interval '45 days' - i * interval '1 hour') as hour) x`;
      await sql`
        insert into ledger_transactions (id, kind, idempotency_key, created_at)
        select id, 'usage', 'lease:' || id, hour from history`;
      await sql`
        insert into entries (account_id, transaction_id, book, amount_nanos)
        select ${accountId}::uuid, id, 'account', -40 from history union all
        select '00000000-0000-0000-0000-000000000000'::uuid, id, 'usage_revenue', 40 from history`;
      await sql`
        insert into leases (account_id, id, key_id, instance_id, hour, granted_nanos, spent_nanos, calls,
                            opened_at, closed_at, checked_at, transaction_id)
        select ${accountId}::uuid, id, ${keyId}::uuid, ${books.instanceId}::uuid, hour, 40, 40, 1, hour,
               hour + interval '1 hour', hour + interval '2 hours', id from history`;
      await sql`
        insert into requests (account_id, id, key_id, lease_id, state, held_nanos, cost_nanos,
                              charged_nanos, placed_at, ended_at)
        select ${accountId}::uuid, id, ${keyId}::uuid, id, 'settled', 40, 40, 40, hour, hour from history`;
      await sql`
        update accounts set balance_nanos = balance_nanos - 40 * ${leases}::bigint where id = ${accountId}`;
      await sql`
        update api_keys set total_spent_nanos = total_spent_nanos + 40 * ${leases}::bigint where id = ${keyId}`;
    });
  }

  /** Rows of the tables that grow with the age of the books that one run reads. */
  async function countRowsRead(): Promise<number> {
    const undo = new Error("undo");
    let rows = -1;
    // PostgreSQL counts what a connection read before, too.
    const connection = connectDatabase({ url: books.database.url, max: 1 });
    await connection.db
      .transaction(async (transaction) => {
        expect((await checkRecentBooks(transaction)).violations).toEqual([]);
        const [read] = await transaction.execute<{ rows: string }>(`
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_xact_user_tables
           where relname ~ '^(requests|leases|entries|ledger_transactions)'`);
        rows = Number(read?.rows);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    await connection.close();
    return rows;
  }

  test("follows the traffic: years of calls, leases and entries are not read", async () => {
    const principal = await books.newPrincipal(1_000_000n);
    await insertHistory(principal, 3_000);
    expect(await books.check()).toEqual([]);
    // The first run reads the account's entries once, and keeps their sum.
    expect((await checkRecentBooks(books.app.db)).violations).toEqual([]);
    // As if the account had been funded before the period that the checker looks back.
    await books.owner.sql`
      update book_checks set through = now() + interval '15 minutes'
       where account_id = '00000000-0000-0000-0000-000000000000'`;
    await callAndClose(books, principal);
    const rows = await countRowsRead();
    expect(rows).toBeGreaterThan(3);
    expect(rows).toBeLessThan(300);
  });
});
