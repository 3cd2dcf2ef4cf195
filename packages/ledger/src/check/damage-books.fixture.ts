// For tests of the checkers: books with some of everything in them, and the ways to corrupt them by
// hand, with the triggers off and the constraints dropped.
import { newId, type TopUpId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { acquireLeases } from "../leases/acquire-leases.ts";
import { LeaseBook } from "../leases/lease-book.ts";
import { postMovement } from "../movements/post-movement.ts";
import { chargeOf, grantOf, holdOf, type TestBooks } from "../open-test-books.fixture.ts";

export type Sample = { readonly settled: string; readonly released: string };

/** A top-up with a refund, a closed lease with a call that cost too much and a free one, an open lease. */
export async function fillBooks(books: TestBooks): Promise<Sample> {
  const principal = await books.newPrincipal(1_000n, { day: 5_000n, month: 5_000n, total: 5_000n });
  const topUp = newId<TopUpId>();
  await books.owner.sql`
    insert into top_ups (id, account_id, amount_nanos, state, processor, credited_nanos)
    values (${topUp}, ${principal.accountId}, 500, 'paid', 'sandbox', 500)`;
  const { accountId } = principal;
  const common = { accountId, reason: "test", actor: "test" };
  await postMovement(books.app.db, {
    ...common,
    amountNanos: toNanos(500n),
    kind: "top_up",
    book: "stripe_clearing",
    idempotencyKey: `sandbox:${topUp}`,
  });
  await books.owner.sql`update top_ups set reversed_nanos = 200, version = 1 where id = ${topUp}`;
  await postMovement(books.app.db, {
    ...common,
    amountNanos: toNanos(-200n),
    kind: "refund",
    book: "refunds",
    idempotencyKey: `refund:${topUp}:1`,
  });
  const closing = books.openLedger();
  const first = grantOf(await closing.hold(holdOf(principal, 100n)));
  const second = grantOf(await closing.hold(holdOf(principal, 100n)));
  await closing.charge(chargeOf(first, 140n));
  await closing.charge(chargeOf(second, 0n, { state: "released" }));
  await closing.drain(60_000);
  // Uses no ledger, whose background work would wait for locks that a test takes.
  const open = holdOf(principal, 100n);
  await acquireLeases(
    books.app.sql,
    [{ ...new LeaseBook().reserve(open.facts), ...open, aheadNanos: 0n }],
    { instanceId: books.instanceId, wait: true, late: false },
  );
  return { settled: first.request.facts.id, released: second.request.facts.id };
}

/** Applies `statements`, calls `look`, and undoes everything. */
export async function lookAtDamage<Seen>(
  books: TestBooks,
  statements: readonly string[],
  look: (db: Db) => Promise<Seen>,
): Promise<Seen> {
  const undo = new Error("undo");
  let seen: { readonly value: Seen } | undefined;
  await books.owner.db
    .transaction(async (transaction) => {
      for (const table of ["entries", "requests", "leases", "ledger_transactions"]) {
        await transaction.execute(`alter table ${table} disable trigger user`);
      }
      for (const [table, constraint] of constraints) {
        await transaction.execute(`alter table ${table} drop constraint ${constraint}`);
      }
      for (const statement of statements) await transaction.execute(statement);
      seen = { value: await look(transaction) };
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  if (seen === undefined) throw new Error("nobody looked");
  return seen.value;
}

const constraints = [
  ["accounts", "accounts_never_overdrawn"],
  ["accounts", "accounts_held_not_negative"],
  ["requests", "requests_charge_within_hold"],
  ["requests", "requests_charge_within_cost"],
  ["leases", "leases_spent_within_grant"],
] as const;

/** What both checkers must find, by the name they report it under. */
export const damages: readonly (readonly [check: string, statement: (sample: Sample) => string])[] =
  [
    [
      "a transaction does not sum to zero",
      () => "update entries set amount_nanos = amount_nanos + 1 where book = 'usage_revenue'",
    ],
    [
      "a balance is not the sum of its entries",
      () => "update accounts set balance_nanos = balance_nanos + 1",
    ],
    [
      "a balance is not the sum of its entries",
      () => "update entries set amount_nanos = amount_nanos - 1 where book = 'account'",
    ],
    [
      "what was put in is not the sum of its entries",
      () => "update accounts set credited_nanos = credited_nanos + 1",
    ],
    [
      "held is not the sum of the open leases",
      () => "update accounts set held_nanos = held_nanos - 1",
    ],
    [
      "held is not the sum of the open leases",
      () => "update leases set granted_nanos = granted_nanos + 1 where closed_at is null",
    ],
    ["an account is overdrawn and not frozen", () => "update accounts set balance_nanos = 0"],
    [
      "entries of an account that does not exist",
      () =>
        "insert into entries select gen_random_uuid(), transaction_id, 'account', 0 from entries limit 1",
    ],
    [
      "a charge exceeds its hold",
      ({ settled }) => `update requests set charged_nanos = 101 where id = '${settled}'`,
    ],
    [
      "a charge exceeds its hold",
      ({ settled }) =>
        `update requests set charged_nanos = 101, state = 'late_settled' where id = '${settled}'`,
    ],
    [
      "money on a request that moved none",
      ({ released }) => `update requests set cost_nanos = 1 where id = '${released}'`,
    ],
    [
      "a charge without its lease or its ledger transaction",
      ({ settled }) => `update requests set lease_id = null where id = '${settled}'`,
    ],
    [
      "a lease is not the sum of its requests",
      ({ settled }) => `update requests set charged_nanos = 99 where id = '${settled}'`,
    ],
    [
      "a lease is not the sum of its requests",
      ({ released }) => `delete from requests where id = '${released}'`,
    ],
    [
      "a lease is not the sum of its requests",
      ({ settled }) => `update requests set lease_id = gen_random_uuid() where id = '${settled}'`,
    ],
    [
      "a lease is not the sum of its requests",
      () => "update leases set spent_nanos = 1 where closed_at is null",
    ],
    [
      "a closed lease is not its ledger transaction",
      () => "update leases set transaction_id = null where closed_at is not null",
    ],
    [
      "a closed lease is not its ledger transaction",
      () => "update leases set granted_nanos = granted_nanos + 1 where closed_at is not null",
    ],
    [
      "a closed lease is not its ledger transaction",
      () => "update leases set shortfall_nanos = 41 where closed_at is not null",
    ],
    [
      "an open lease was posted",
      () => "update leases set transaction_id = gen_random_uuid() where closed_at is null",
    ],
    [
      "a usage entry is not the sum of its leases or requests",
      () => "update leases set spent_nanos = 99 where closed_at is not null",
    ],
    [
      "a usage entry is not the sum of its leases or requests",
      () => "update leases set transaction_id = null where closed_at is not null",
    ],
    [
      "counters of a key are not its leases",
      () => "update api_keys set day_spent_nanos = day_spent_nanos + 1",
    ],
    [
      "counters of a key are not its leases",
      () => "update api_keys set week_spent_nanos = week_spent_nanos + 1",
    ],
    [
      "counters of a key are not its leases",
      () => "update api_keys set month_spent_nanos = month_spent_nanos + 1",
    ],
    [
      "counters of a key are not its leases",
      () => "update api_keys set day_held_nanos = day_held_nanos - 1",
    ],
    ["counters of a key are not its leases", () => "update api_keys set total_held_nanos = 0"],
    ...["day", "total"].map((period): [string, () => string] => [
      "counters of a budget are not its leases",
      () => `update budgets set held_nanos = held_nanos + 1 where period = '${period}'`,
    ]),
    [
      "counters of a budget are not its leases",
      () => "update budgets set spent_nanos = spent_nanos + 1 where period = 'month'",
    ],
    [
      "a top-up credits something else than its order",
      () => "update top_ups set amount_nanos = amount_nanos + 1",
    ],
    [
      "a top-up credits something else than its order",
      () => "update top_ups set state = 'canceled'",
    ],
    ["a credited top-up names no payment", () => "update top_ups set processor = 'stripe'"],
    [
      "a sandbox payment where these are refused",
      () => "update schema_state set sandbox_refused_since = now() - interval '1 hour'",
    ],
    ["a top-up is not its credit", () => "update top_ups set credited_nanos = 400"],
    ["a top-up is not its credit", () => "delete from top_ups"],
    ...(["top_up", "refund", "dispute"] as const).map(
      (kind) =>
        [
          "a movement names no order",
          () => `update ledger_transactions set kind = '${kind}', idempotency_key = 'forged'
                  where kind = 'refund'`,
        ] as const,
    ),
    [
      "a movement is in the wrong book",
      () => "update entries set book = 'refunds' where book = 'stripe_clearing'",
    ],
    [
      "a movement is in the wrong book",
      () => "update ledger_transactions set kind = 'adjustment' where kind = 'usage'",
    ],
    [
      "a settled request without its lease",
      ({ released }) =>
        `update requests set state = 'settled', lease_id = null where id = '${released}'`,
    ],
    [
      "held is not the sum of the open leases",
      () => "update leases set granted_nanos = granted_nanos - 1 where closed_at is null",
    ],
    [
      "what is reversed of a top-up is not its entries",
      () => "update top_ups set reversed_nanos = 199",
    ],
    [
      "usage is not the sum of its requests",
      () => "update usage_progress set rolled_to = now() + interval '1 hour'",
    ],
    [
      "a lease is open past its bound",
      () => "update leases set hour = hour - interval '2 hours' where closed_at is null",
    ],
    [
      "a lease is open although its hour is over and its process lives",
      () => "update leases set hour = now() - interval '81 minutes' where closed_at is null",
    ],
  ];
