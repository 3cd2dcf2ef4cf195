// `charge_new_calls` and `charge_new_call` take calls of which nothing is unusual: they write what `charge_calls` writes, or
// nothing at all.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type LedgerTransactionId, newId, noFailpoint } from "@turnpike/base";
import { arrayLiteral, errorCodeOf, type RequestRow, requests } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { getTableColumns } from "drizzle-orm";
import type { Hold } from "../hold.ts";
import type { Ledger } from "../open-ledger.ts";
import {
  chargeOf,
  closeLease,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { chargeCalls } from "./charge-calls.ts";
import { requestMembers, writeRequest } from "./write-request.ts";

let books: TestBooks;
let ledger: Ledger;
beforeAll(async () => {
  books = await openTestBooks();
  // Its clock stands still: neither the end of an hour nor of an idle time closes a lease.
  ledger = books.openLedger({ nowMs: () => 1_000 });
});
afterAll(() => books.close());
afterEach(async () => {
  await ledger.recall();
  expect(await books.check()).toEqual([]);
});

async function newHold(want = 400n): Promise<Hold> {
  const principal = await books.newPrincipal(10_000n);
  return grantOf(await ledger.hold(holdOf(principal, want)));
}

function rowOf(hold: Hold, changes: Partial<RequestRow> = {}): string {
  return writeRequest({
    ...hold.request.facts,
    instanceId: books.instanceId,
    leaseId: hold.lease.id,
    state: "settled",
    heldNanos: hold.grantedNanos,
    costNanos: toNanos(70n),
    ...changes,
  });
}

async function sendBatch(rows: readonly string[]): Promise<unknown> {
  const heldMs = arrayLiteral(rows.map(() => 5));
  const [answer] = await books.app.sql`
    select charge_new_calls(${requestMembers}::int, ${arrayLiteral(rows)}::text, ${heldMs}::text::bigint[]) as charged`;
  return answer?.charged;
}

async function sendOne(row: string): Promise<unknown> {
  const [answer] = await books.app.sql`
    select charge_new_call(${requestMembers}::int, ${row}::text, 5) as charged`;
  return answer?.charged;
}

/** Each of the two functions, for the same calls. */
const functions = [
  ["charge_new_calls", sendBatch],
  ["charge_new_call", (rows: readonly string[]) => sendOne(rows[0] ?? "")],
] as const;

async function spentOf(hold: Hold) {
  const [lease] = await books.leases(hold.lease.accountId);
  const { spent_nanos, shortfall_nanos, calls } = lease ?? {};
  return [spent_nanos, shortfall_nanos, calls];
}

/** A closed lease has nothing left to spend, which a constraint of the table notices first. */
const ofClosedLease = "23514";
const nothing = ["0", "0", 0];

describe.each(functions)("%s", (_name, send) => {
  test("charges the cost up to the hold, and the lease with it", async () => {
    const [whole, beyond] = [await newHold(), await newHold()];
    expect(await send([rowOf(whole)])).toBe(true);
    expect(await send([rowOf(beyond, { costNanos: toNanos(650n) })])).toBe(true);
    expect(await spentOf(whole)).toEqual(["70", "0", 1]);
    expect(await spentOf(beyond)).toEqual(["400", "250", 1]);
    expect(await books.row(beyond.request.facts.id)).toMatchObject({
      charged_nanos: "400",
      shortfall_nanos: "250",
      transaction_id: null,
    });
  });

  test("refuses a call that was written before, and nothing moves", async () => {
    const hold = await newHold();
    await send([rowOf(hold)]);
    const again = send([rowOf(hold, { costNanos: toNanos(100n) })]);
    expect(await again.catch(errorCodeOf)).toBe("23505");
    expect(await spentOf(hold)).toEqual(["70", "0", 1]);
  });

  test("refuses a lease that is closed, missing or of another account", async () => {
    const [hold, other] = [await newHold(), await newHold()];
    const { accountId } = other.lease;
    const refused = [
      rowOf(hold, { accountId }),
      rowOf(hold, { leaseId: newId() }),
      rowOf(hold, { leaseId: null }),
    ];
    for (const row of refused) expect(await send([row]).catch(errorCodeOf)).toBe("40001");
    expect(await spentOf(hold)).toEqual(nothing);
    await closeLease(books, hold);
    expect(await send([rowOf(hold)]).catch(errorCodeOf)).toBe(ofClosedLease);
    const free = rowOf(hold, { state: "released", costNanos: toNanos(0n) });
    expect(await send([free]).catch(errorCodeOf)).toBe("40001");
    expect(await books.row(hold.request.facts.id)).toBeUndefined();
  });

  test("refuses what no finished call in time is", async () => {
    const hold = await newHold();
    const states = [
      { state: "refused", costNanos: toNanos(0n) },
      { state: "late_settled" },
      { state: "released" },
    ] as const;
    for (const changes of states) {
      expect(await send([rowOf(hold, changes)]).catch(errorCodeOf)).toBe("40001");
    }
    const negative = send([rowOf(hold, { costNanos: toNanos(-5n) })]);
    expect(await negative.catch(errorCodeOf)).toBe("23514");
    expect(await spentOf(hold)).toEqual(nothing);
    expect(await send([rowOf(hold, { state: "released", costNanos: toNanos(0n) })])).toBe(true);
    expect(await spentOf(hold)).toEqual(["0", "0", 1]);
  });

  test("sets what the sender may not: when it was placed, what it is charged, and no transaction", async () => {
    const hold = await newHold();
    const forged = {
      chargedNanos: toNanos(1n),
      shortfallNanos: toNanos(69n),
      transactionId: newId<LedgerTransactionId>(),
    };
    await send([rowOf(hold, forged)]);
    const [row] = await books.owner.sql`
      select charged_nanos, shortfall_nanos, transaction_id, ended_at - placed_at as held
        from requests where id = ${hold.request.facts.id}`;
    expect(row).toEqual({
      charged_nanos: "70",
      shortfall_nanos: "0",
      transaction_id: null,
      held: "00:00:00.005",
    });
  });
});

test("one unusual call of a batch leaves the whole batch unwritten", async () => {
  const [good, closed] = [await newHold(), await newHold()];
  await closeLease(books, closed);
  expect(await sendBatch([rowOf(good), rowOf(closed)]).catch(errorCodeOf)).toBe(ofClosedLease);
  expect(await spentOf(good)).toEqual(nothing);
  expect(await books.row(good.request.facts.id)).toBeUndefined();
});

/** Something else in each column, as in `write-request.test.ts`. */
function sampleOf(dataType: string, columnType: string, position: number): unknown {
  if (columnType === "PgUUID") return newId();
  if (dataType === "string") return `"${position}", (a) {b}\\ c`;
  if (dataType === "number") return position + 1;
  if (dataType === "boolean") return true;
  return { serviceTier: `"${position}", {a}\\` };
}

test("every column is written as by charge_calls, alone and in a batch", async () => {
  const [alone, first, second, late] = [
    await newHold(),
    await newHold(),
    await newHold(),
    await newHold(),
  ];
  const columns = Object.entries(getTableColumns(requests));
  const blank = alone.request.facts;
  const known = columns.filter(
    ([name]) => name in blank && !["id", "accountId", "keyId", "operation"].includes(name),
  );
  const facts = Object.fromEntries(
    known.map(([name, column], position) => [
      name,
      sampleOf(column.dataType, column.columnType, position),
    ]),
  );
  const provider = String(facts.provider);
  const waits = { firstByteMs: 7, startedMs: 6, waitedMs: 7 };
  const attempt = { provider, model: "its own name", status: 200, error: null, ...waits };
  const given = { ...facts, operation: "embeddings", attempts: [attempt] } as const;
  const charge = (hold: Hold) => ({
    charge: chargeOf(hold, 50n, {}, given),
    lease: hold.lease,
    capNanos: hold.grantedNanos,
    late: false,
  });
  const options = { instanceId: books.instanceId, failpoint: noFailpoint };
  await chargeCalls(books.app.sql, [charge(alone)], options);
  await chargeCalls(books.app.sql, [charge(first), charge(second)], options);
  // Another cap than the hold is decided by `charge_single_call`.
  await chargeCalls(books.app.sql, [{ ...charge(late), capNanos: toNanos(60n) }], options);
  const rows = await Promise.all(
    [alone, first, second, late].map(async ({ request }) => {
      const row = await books.row(request.facts.id);
      const { id, account_id, key_id, lease_id, placed_at, ended_at, ...rest } = row ?? {};
      return rest;
    }),
  );
  const decided = rows.at(-1) ?? {};
  expect(decided).toMatchObject({ end_user: facts.endUser, charged_nanos: "50" });
  // What is null is so in every row.
  const empty = Object.keys(decided).filter((name) => decided[name] === null);
  expect(empty).toEqual(["transaction_id", "attempts"]);
  for (const row of rows) expect(row).toEqual(decided);
});

test("a repeated and a new call of one batch are charged by charge_calls", async () => {
  const [first, second] = [await newHold(), await newHold()];
  const item = (hold: Hold) => ({
    charge: chargeOf(hold, 70n),
    lease: hold.lease,
    capNanos: hold.grantedNanos,
    late: false,
  });
  const options = { instanceId: books.instanceId, failpoint: noFailpoint };
  await chargeCalls(books.app.sql, [item(first)], options);
  const answers = await chargeCalls(books.app.sql, [item(first), item(second)], options);
  expect(answers.map((answer) => answer !== "late" && answer.verdict)).toEqual([
    "already",
    "settled",
  ]);
  expect(await spentOf(first)).toEqual(["70", "0", 1]);
});
