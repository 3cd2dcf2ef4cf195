// The database cost of one settlement must not grow with the amount of other data.
// The functions are planned while their tables are new and have no statistics.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { arrayLiteral, type Sql } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { requestMembers, writeRequest } from "../charges/write-request.ts";
import type { Hold } from "../hold.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  routeFacts,
  type TestBooks,
} from "../open-test-books.fixture.ts";

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

/** Runs one statement as the owner and returns how many pages it touched. */
async function pagesOf(sql: Sql, statement: string): Promise<number> {
  const [row] = await sql.unsafe<{ "QUERY PLAN": [Plan] }[]>(
    `explain (analyze, buffers, format json) ${statement}`,
  );
  const plan = row?.["QUERY PLAN"][0].Plan ?? {};
  return Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
}

type Write = (value: string | null) => string;
const inArray: Write = (value) => `'${arrayLiteral([value])}'`;
const own = () => `'${books.instanceId}'`;

function writeCall({ request, lease }: Hold): string {
  const { instanceId } = books;
  const amounts = { heldNanos: toNanos(100n), costNanos: toNanos(0n), chargedNanos: toNanos(100n) };
  const paid = { ...amounts, instanceId, leaseId: lease.id, state: "released" } as const;
  return writeRequest({ ...request.facts, ...routeFacts, ...paid });
}

/** The parameters of each function, for a call that runs. */
const statements: Readonly<Record<string, (hold: Hold) => string>> = {
  charge_calls: (hold) => [requestMembers, inArray(writeCall(hold)), "'{1}'"].join(", "),
  charge_single_call: (hold) => [requestMembers, `'${writeCall(hold)}'`, 1].join(", "),
  charge_new_calls: (hold) => [requestMembers, inArray(writeCall(hold)), "'{1}'"].join(", "),
  charge_new_call: (hold) => [requestMembers, `'${writeCall(hold)}'`, 1].join(", "),
  acquire_leases({ lease }) {
    const { accountId, keyId } = lease;
    const values = [lease.id, accountId, keyId, "100", "100", "0", "0", "false", "false"];
    return [own(), "false", "false", ...values.map(inArray), "null"].join(", ");
  },
  release_leases({ lease }) {
    const values = [lease.accountId, lease.id, lease.keyId, "1", "false"];
    return [own(), ...values.map(inArray)].join(", ");
  },
};

async function pagesInTransaction(sql: Sql, statement: string): Promise<number> {
  await sql`begin`;
  const pages = await pagesOf(sql, statement);
  await sql`rollback`;
  return pages;
}

/** 20,000 leases of the account and the instance of `hold`, of which nothing was spent. */
async function addLeases({ owner }: TestBooks, { lease }: Hold, open: boolean): Promise<void> {
  await owner.sql`
    insert into leases (account_id, id, key_id, instance_id, hour, closed_at)
    select account_id, gen_random_uuid(), key_id, instance_id, hour,
           case when ${open} then null else now() end
      from leases, generate_series(1, 20000) where id = ${lease.id}`;
}

test.each(Object.keys(statements))(
  "%s reads the same few pages however many other calls and leases there are",
  async (name) => {
    const ledger = books.openLedger();
    const principal = await books.newPrincipal(1_000_000n);
    const own = await books.owner.sql.reserve();
    try {
      const hold = grantOf(await ledger.hold(holdOf(principal, 100n)));
      const statement = `select * from ${name}(${statements[name]?.(hold)})`;
      const measure = () => pagesInTransaction(own, statement);
      // As in the morning: of many leases, hardly any is open.
      await books.owner.sql`delete from leases where granted_nanos = 0 and calls = 0`;
      await addLeases(books, hold, false);
      await books.owner.sql`vacuum analyze leases`;
      // The first one in a session reads the database's own catalog as well.
      await measure();
      expect(await measure()).toBeLessThan(pagesMax);
      // The statement stays planned as it was.
      await addLeases(books, hold, true);
      // Unless statistics that were collected meanwhile make it plan, and read the catalog, again.
      expect(Math.min(await measure(), await measure())).toBeLessThan(pagesMax);
      await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
      expect(await books.check()).toEqual([]);
    } finally {
      own.release();
    }
  },
);

test.each(["charge_calls", "charge_single_call", "charge_new_calls", "charge_new_call"])(
  "%s looks its leases up, also if it was planned before leases had statistics",
  async (name) => {
    const fresh = await openTestBooks();
    const own = await fresh.owner.sql.reserve();
    try {
      await fresh.owner.sql`alter table leases set (autovacuum_enabled = false)`;
      const ledger = fresh.openLedger();
      const hold = grantOf(await ledger.hold(holdOf(await fresh.newPrincipal(1_000_000n), 100n)));
      const statement = `select * from ${name}(${statements[name]?.(hold)})`;
      await pagesInTransaction(own, statement);
      await addLeases(fresh, hold, true);
      expect(await pagesInTransaction(own, statement)).toBeLessThan(pagesMax);
    } finally {
      own.release();
      await fresh.close();
    }
  },
);
