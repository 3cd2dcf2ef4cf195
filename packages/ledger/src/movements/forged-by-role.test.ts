// What the server's role could send to PostgreSQL itself: every way to write money, orders, books or functions that
// is not the server's own is refused, and afterwards nothing has moved.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type LeaseId, newId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { checkBooks } from "../check/check-books.ts";
import { releaseLeases } from "../leases/release-leases.ts";
import {
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";

let books: TestBooks;
let rich: Principal;
let poor: Principal;
/** Of `rich`: a lease with 60 of its 1,000 held. */
let leaseId: LeaseId;
beforeAll(async () => {
  books = await openTestBooks();
  rich = await books.newPrincipal(1_000n);
  // The amount of the orders: an entry of another transaction must not be taken for theirs.
  poor = await books.newPrincipal(500n);
  leaseId = grantOf(await books.openLedger().hold(holdOf(rich, 60n))).lease.id;
});
beforeEach(async () => {
  expect(await books.check()).toEqual([]);
});
afterAll(async () => {
  expect(await books.check()).toEqual([]);
  await books.close();
});

async function moneyOfBoth() {
  return [await books.money(rich.accountId), await books.money(poor.accountId)];
}

/** Sends the statements in one transaction as the server's role; why PostgreSQL refused one of them. */
async function refusalOf(...statements: readonly string[]): Promise<string> {
  try {
    await books.app.sql.begin(async (sql) => {
      for (const statement of statements) await sql.unsafe(statement);
    });
  } catch (error) {
    return String(error);
  }
  return "not refused";
}

const insertOrder = (id: string, columns: Readonly<Record<string, string>>) => {
  const all = { id, account_id: poor.accountId, amount_nanos: "500", processor: "stripe" };
  const entries = Object.entries({ ...all, ...columns });
  return `insert into top_ups (${entries.map(([name]) => name).join(", ")})
    values (${entries.map(([, value]) => `'${value}'`).join(", ")})`;
};

const creditOf = (key: string, nanos = 500) =>
  `select * from post_movement('${newId()}', 'top_up', '${key}', 'forged', 'stripe',
     '${poor.accountId}', ${nanos}, 'stripe_clearing')`;

describe("an order in top_ups", () => {
  test.each([
    [{ state: "paid", credited_nanos: "500", payment_intent_id: "pi_1" }],
    [{ state: "paid" }],
    [{ credited_nanos: "500" }],
    [{ payment_intent_id: "pi_1" }],
    [{ paid_at: "2026-01-01" }],
    [{ version: "1" }],
    [{ state: "quarantined" }],
  ])("does not begin as %j", async (columns) => {
    expect(await refusalOf(insertOrder(newId(), columns))).toContain("a top-up begins unpaid");
  });

  const forged = (changes: string, columns: Readonly<Record<string, string>> = {}) => {
    const id = newId();
    return refusalOf(insertOrder(id, columns), `update top_ups set ${changes} where id = '${id}'`);
  };

  test("is not marked paid without its credit, without a session, or with another amount", async () => {
    const paid = "state = 'paid', credited_nanos = 500, payment_intent_id = 'pi_2'";
    const refused = "a top-up is paid once its credit is posted";
    const session = { checkout_session_id: `cs_${newId()}` };
    expect(await forged(paid, session)).toContain(refused);
    expect(await forged("state = 'paid'")).toContain(refused);
    expect(await forged("credited_nanos = 500")).toContain(refused);
    const id = newId();
    const posted = creditOf("stripe:pi_3");
    expect(
      await refusalOf(
        insertOrder(id, {}),
        posted,
        `update top_ups set ${paid.replace("pi_2", "pi_3")} where id = '${id}'`,
      ),
    ).toContain(refused);
    const lower = creditOf("stripe:pi_2", 400);
    expect(
      await refusalOf(
        insertOrder(id, session),
        lower,
        `update top_ups set ${paid} where id = '${id}'`,
      ),
    ).toContain(refused);
  });

  test("keeps its account, amount, processor, session and payment", async () => {
    const refused = "a top-up keeps its account, amount and payment";
    for (const change of [
      `account_id = '${rich.accountId}'`,
      "amount_nanos = 5000",
      "processor = 'sandbox'",
      "livemode = true",
      "checkout_session_id = 'cs_other'",
      "version = -1",
      `id = '${newId()}'`,
    ]) {
      expect(await forged(change, { checkout_session_id: `cs_${newId()}` })).toContain(refused);
    }
  });

  test("is not reversed, or reinstated, without its entries", async () => {
    const id = newId();
    const payment = { checkout_session_id: "cs_4", payment_intent_id: "pi_4" };
    const order = insertOrder(id, { state: "paid", credited_nanos: "500", ...payment });
    await books.owner.sql.unsafe(order);
    await books.app.sql.unsafe(creditOf("stripe:pi_4"));
    const refused = "a top-up is reversed once that is posted";
    const changes = ["reversed_nanos = 100", "reversed_nanos = 100, disputed_nanos = 100"];
    for (const change of changes) {
      expect(await refusalOf(`update top_ups set ${change} where id = '${id}'`)).toContain(refused);
    }
    const state = `update top_ups set state = 'pending', credited_nanos = 0 where id = '${id}'`;
    expect(await refusalOf(state)).toContain("a top-up is paid once its credit is posted");
  });
});

test("counters of a new key and marks of the scheduled check hide nothing from the full check", async () => {
  const key = `insert into api_keys (account_id, id, name, hash, masked, total_spent_nanos)
    values ('${poor.accountId}', '${newId()}', 'forged', 'forged', 'forged', -1000)`;
  const marks = `insert into book_checks (account_id, through, balance_nanos)
    select id, now() + interval '1 day', 0 from accounts
    on conflict (account_id) do update set through = excluded.through, balance_nanos = 0`;
  const shown = books.app.db.transaction(async (transaction) => {
    await transaction.execute(sql.raw(key));
    await transaction.execute(sql.raw(marks));
    await transaction.execute(sql`update leases set checked_at = now()`);
    const violations = await checkBooks(transaction);
    throw violations.map(({ check }) => check);
  });
  const found: unknown = await shown.catch((thrown: unknown) => thrown);
  expect(found).toEqual(["counters of a key are not its leases"]);
});

describe("tables, roles and functions", () => {
  const denied = /permission denied|must be (owner|member|superuser)|append-only/;
  const tables = [
    "accounts",
    "entries",
    "ledger_transactions",
    "leases",
    "requests",
    "top_ups",
    "prices",
  ];
  const statements: readonly string[] = [
    ...tables.flatMap((table) => [
      `delete from ${table}`,
      `truncate ${table} cascade`,
      `alter table ${table} disable trigger user`,
      `drop table ${table} cascade`,
      `create trigger forged before insert on ${table} execute function refuse_change()`,
      `create rule forged as on insert to ${table} do instead nothing`,
    ]),
    "update accounts set balance_nanos = 1",
    "update accounts set held_nanos = 0",
    "update accounts set frozen_at = null",
    "update accounts set credited_nanos = 1",
    "insert into accounts (id, name, balance_nanos) values (gen_random_uuid(), '', 1)",
    "update leases set spent_nanos = 0",
    "update leases set granted_nanos = 1",
    "update requests set charged_nanos = 0",
    "update api_keys set total_spent_nanos = 0",
    "update api_keys set account_id = gen_random_uuid()",
    "update entries set amount_nanos = 1",
    "update prices set output_nanos = 0",
    "insert into leases (account_id, id, instance_id, hour) select id, id, id, now() from accounts",
    "insert into entries (account_id, transaction_id, book, amount_nanos) select id, id, 'account', 1 from accounts",
    "insert into ledger_transactions (id, kind, idempotency_key, actor) values (gen_random_uuid(), 'top_up', 'k', 'a')",
    "insert into requests_default select * from requests",
    "insert into requests (account_id, id, state, charged_nanos) select id, id, 'refused', -1 from accounts",
    "insert into requests (account_id, id, state, lease_id) select id, id, 'settled', id from accounts",
    "copy leases from stdin",
    "copy accounts to program 'true'",
    "create table public.forged (id int)",
    "create function public.pg_has_role(name, oid, text) returns boolean language sql as 'select true'",
    "alter function post_movement security invoker",
    "drop function release_leases",
    "create schema forged",
    "set role turnpike_owner",
    "set session authorization postgres",
    "set session_replication_role = replica",
    "select is_abandoned(gen_random_uuid(), gen_random_uuid())",
    "insert into schema_state values (true, 99)",
    "update schema_state set sandbox_refused_since = null",
    "update drizzle.__drizzle_migrations set hash = ''",
  ];
  test.each(statements.map((statement) => [statement]))("refuse: %s", async (statement) => {
    const money = await moneyOfBoth();
    expect(await refusalOf(statement)).toMatch(
      new RegExp(`${denied.source}|does not exist|must be able to SET ROLE`),
    );
    expect(await moneyOfBoth()).toEqual(money);
  });
});

test("temporary tables do not stand in for the tables that functions and triggers read", async () => {
  const ownClass = `create temp table pg_class on commit drop as
    select oid, (select oid from pg_roles where rolname = current_user) as relowner
      from pg_catalog.pg_class where oid = 'public.accounts'::regclass`;
  const adjustment = `select * from post_movement('${newId()}', 'adjustment', 'temp', 'forged', 'me',
    '${poor.accountId}', 500, 'adjustments')`;
  expect(await refusalOf(ownClass, adjustment)).toContain("only the role that owns");
  const paid = insertOrder(newId(), { state: "paid", credited_nanos: "500" });
  expect(await refusalOf(ownClass, paid)).toContain("a top-up begins unpaid");
  const ownOrders = `create temp table top_ups on commit drop as select * from public.top_ups;
    insert into pg_temp.top_ups (id, account_id, amount_nanos, state, processor, payment_intent_id, credited_nanos)
    values (gen_random_uuid(), '${poor.accountId}', 500, 'paid', 'stripe', 'pi_temp', 500)`;
  expect(await refusalOf(ownOrders, creditOf("stripe:pi_temp"))).toContain("not that of an order");
});

test("a lease is not released, closed or enlarged through another account or key of the batch", async () => {
  const money = await books.money(rich.accountId);
  const own = grantOf(await books.openLedger().hold(holdOf(poor, 50n)));
  const options = { instanceId: books.instanceId };
  for (const kind of ["close", "return", "keep"] as const) {
    const forged = { ...poor, leaseId: leaseId, amountNanos: 50n, kind };
    const kept = { ...rich, leaseId: newId<LeaseId>(), amountNanos: 0n, kind: "close" as const };
    const [answer] = await releaseLeases(books.app.sql, [forged, kept], options);
    expect(answer).toMatchObject({ verdict: "missing", amountNanos: 0n });
  }
  expect(await books.money(rich.accountId)).toEqual(money);
  expect(await books.money(poor.accountId)).toMatchObject({ held: 50n });
  const otherKey = await books.newKey(rich.accountId);
  const [row] = await books.app.sql.unsafe<{ verdicts: string }[]>(`
    select verdicts::text from acquire_leases('${books.instanceId}', true, false, '{${leaseId}}',
      '{${rich.accountId}}', '{${otherKey}}', '{10}', '{10}', '{0}', '{0}', '{f}', '{f}', null)`);
  expect(row?.verdicts).toBe("{closed}");
  expect(own.lease.id).not.toBe(leaseId);
});

test("headroom that a lease does not have is not given back by an acquisition", async () => {
  const money = await moneyOfBoth();
  const acquire = (lease: string, own: number) => `
    select acquire_leases('${books.instanceId}', true, false, '{${lease}}', '{${rich.accountId}}',
      '{${rich.keyId}}', '{0}', '{0}', '{${own}}', '{0}', '{f}', '{f}', null)`;
  await refusalOf(acquire(newId(), 500));
  await refusalOf(acquire(leaseId, 500));
  expect(await moneyOfBoth()).toEqual(money);
  expect(await refusalOf(acquire(leaseId, -1))).toContain("negative reservation");
  expect(await moneyOfBoth()).toEqual(money);
});

describe("an order of the sandbox checkout", () => {
  const credit = (id: string) => [
    insertOrder(id, { processor: "sandbox" }),
    creditOf(`sandbox:${id}`),
    `update top_ups set state = 'paid', credited_nanos = 500 where id = '${id}'`,
  ];
  const refuseSince = async (since: "null" | "now()" | "'tomorrow'") => {
    await books.owner.sql.unsafe(`update schema_state set sandbox_refused_since = ${since}`);
  };
  afterEach(() => refuseSince("null"));

  test("is credited only where the owner allows it, which the role cannot", async () => {
    await refuseSince("now()");
    expect(await refusalOf(...credit(newId()))).toContain("sandbox payments are refused");
    const own = "create temp table schema_state as select null::date as sandbox_refused_since";
    expect(await refusalOf(own, ...credit(newId()))).toContain("sandbox payments are refused");
    await refuseSince("null");
    expect(await refusalOf(...credit(newId()))).toBe("not refused");
  });

  test("was credited before they were refused, and is right in the books", async () => {
    expect(await refusalOf(...credit(newId()))).toBe("not refused");
    await refuseSince("'tomorrow'");
    expect(await books.check()).toEqual([]);
  });
});
