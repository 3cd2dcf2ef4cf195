// What the database reserves for a batch of waiting calls, and what it refuses, by its own function.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, type InstanceId, newId } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import type { HoldRequest } from "../hold.ts";
import {
  holdOf,
  type KeyLimits,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { type Acquired, type Acquisition, acquireLeases } from "./acquire-leases.ts";
import { LeaseBook } from "./lease-book.ts";

let books: TestBooks;
let book: LeaseBook;
beforeAll(async () => {
  books = await openTestBooks();
});
beforeEach(() => {
  book = new LeaseBook();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

type Options = {
  readonly wait?: boolean;
  readonly late?: boolean;
  readonly aheadNanos?: bigint;
  readonly instanceId?: InstanceId;
};

/** One batch, as the group-commit queue would send it. */
async function acquire(
  holds: readonly HoldRequest[],
  options: Options = {},
): Promise<readonly (Acquired | "busy")[]> {
  const { wait = false, late = false, aheadNanos = 0n, instanceId = books.instanceId } = options;
  const calls: Acquisition[] = holds.map(({ facts, ...bounds }) => {
    return { ...book.reserve(facts), ...bounds, aheadNanos };
  });
  const { answers } = await acquireLeases(books.app.sql, calls, { instanceId, wait, late });
  return answers;
}

async function acquireOne(hold: HoldRequest, options?: Options): Promise<Acquired | "busy"> {
  const [answer] = await acquire([hold], options);
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

/** What was granted to each call, or why nothing was. */
function summary(answers: readonly (Acquired | "busy")[]): (bigint | string)[] {
  return answers.map((answer) => {
    if (answer === "busy") return answer;
    return answer.verdict === "held" ? answer.grantedNanos : answer.verdict;
  });
}

describe("what is granted", () => {
  test("a lease reserves what its call can cost and reports what was available", async () => {
    const principal = await books.newPrincipal(10_000n);
    const hold = holdOf(principal, 3_000n);
    expect(await acquireOne(hold)).toEqual({
      verdict: "held",
      grantedNanos: toNanos(3_000n),
      extraNanos: toNanos(0n),
      availableNanos: toNanos(10_000n),
    });
    expect(await books.money(principal.accountId)).toMatchObject({
      balance: 10_000n,
      held: 3_000n,
    });
    expect(await books.counters(principal.keyId)).toMatchObject({
      day_held: 3_000n,
      total_held: 3_000n,
    });
    expect(await books.leases(principal.accountId)).toMatchObject([
      { key_id: principal.keyId, instance_id: books.instanceId, granted_nanos: "3000", calls: 0 },
    ]);
  });

  test("a second call enlarges the lease of the first by what its headroom does not cover", async () => {
    const principal = await books.newPrincipal(10_000n);
    await acquire([holdOf(principal, 6_000n), holdOf(principal, 500n)]);
    // Both have ended without a cost.
    Object.assign(book.reserve(principal).lease, { grantedNanos: 6_500n, heldNanos: 0n });
    expect(summary(await acquire([holdOf(principal, 9_000n)]))).toEqual([9_000n]);
    expect(await books.leases(principal.accountId)).toMatchObject([{ granted_nanos: "9000" }]);
  });

  test("if there is less money than wanted, what is there is granted, down to the floor", async () => {
    const principal = await books.newPrincipal(1_000n);
    const floor = { floorNanos: toNanos(400n) };
    expect(summary([await acquireOne(holdOf(principal, 5_000n, floor))])).toEqual([1_000n]);
    const poor = await books.newPrincipal(399n);
    expect(summary([await acquireOne(holdOf(poor, 5_000n, floor))])).toEqual(["balance"]);
  });

  test("an all-or-nothing call is refused as clamped if it would get less", async () => {
    const principal = await books.newPrincipal(1_000n);
    const whole = { allOrNothing: true, floorNanos: toNanos(1n) };
    expect(await acquireOne(holdOf(principal, 1_001n, whole))).toMatchObject({
      verdict: "clamped",
      availableNanos: toNanos(1_000n),
    });
    expect(summary([await acquireOne(holdOf(principal, 1_000n, whole))])).toEqual([1_000n]);
  });

  test("halving leaves parallel calls their share, but never less than the floor", async () => {
    const principal = await books.newPrincipal(1_000n);
    const half = { atMostHalf: true, floorNanos: toNanos(100n) };
    const holds = Array.from({ length: 6 }, () => holdOf(principal, 5_000n, half));
    expect(summary(await acquire(holds))).toEqual([
      500n,
      250n,
      125n,
      100n,
      "in_flight",
      "in_flight",
    ]);
  });

  test("a floor above what is wanted refuses neither a small call nor a free one", async () => {
    const principal = await books.newPrincipal(50n);
    const hold = holdOf(principal, 50n, { floorNanos: toNanos(256n) });
    expect(summary([await acquireOne(hold)])).toEqual([50n]);
    const poor = await books.newPrincipal(0n);
    expect(summary([await acquireOne(holdOf(poor, 0n))])).toEqual([0n]);
  });

  test("a call without a key is paid only by the account", async () => {
    const principal = await books.newPrincipal(1_000n, { total: 10n });
    const hold = holdOf(principal, 500n, {}, { keyId: null });
    expect(summary([await acquireOne(hold)])).toEqual([500n]);
    expect(await books.counters(principal.keyId)).toMatchObject({ total_held: 0n });
  });
});

describe("the head start", () => {
  test("is what demand suggests, at most one sixteenth of what is left", async () => {
    const rich = await books.newPrincipal(1_000_000n);
    expect(await acquireOne(holdOf(rich, 1_000n), { aheadNanos: 5_000n })).toMatchObject({
      grantedNanos: toNanos(1_000n),
      extraNanos: toNanos(5_000n),
    });
    const other = await books.newPrincipal(1_000_000n);
    expect(await acquireOne(holdOf(other, 1_000n), { aheadNanos: 900_000n })).toMatchObject({
      extraNanos: toNanos(62_437n), // (1,000,000 − 1,000) / 16
    });
    expect(await books.money(other.accountId)).toMatchObject({ held: 63_437n });
  });

  test("is zero if the money or a limit is under 32 times the need", async () => {
    const poor = await books.newPrincipal(31_999n);
    expect(await acquireOne(holdOf(poor, 1_000n), { aheadNanos: 5_000n })).toMatchObject({
      extraNanos: toNanos(0n),
    });
    const limited = await books.newPrincipal(1_000_000n, { day: 31_999n });
    expect(await acquireOne(holdOf(limited, 1_000n), { aheadNanos: 5_000n })).toMatchObject({
      extraNanos: toNanos(0n),
    });
    const enough = await books.newPrincipal(32_000n);
    expect(await acquireOne(holdOf(enough, 1_000n), { aheadNanos: 100n })).toMatchObject({
      extraNanos: toNanos(100n),
    });
  });
});

describe("who is refused", () => {
  test("a large refused call does not refuse a small one behind it", async () => {
    const principal = await books.newPrincipal(1_000n);
    const holds = [600n, 5_000n, 300n, 900n, 100n].map((want) => holdOf(principal, want));
    expect(summary(await acquire(holds))).toEqual([600n, "balance", 300n, "in_flight", 100n]);
  });

  test("money reserved elsewhere is reported separately from money that does not exist", async () => {
    const principal = await books.newPrincipal(1_000n);
    await acquire([holdOf(principal, 900n)]);
    expect(await acquireOne(holdOf(principal, 1_000n))).toEqual({
      verdict: "in_flight",
      availableNanos: toNanos(100n),
      elsewhereNanos: toNanos(900n),
      resetsAt: null,
    });
    expect(summary([await acquireOne(holdOf(principal, 1_001n))])).toEqual(["balance"]);
  });

  test("a refused call reserves nothing and leaves no lease", async () => {
    const principal = await books.newPrincipal(10n);
    await acquire([holdOf(principal, 11n)]);
    expect(await books.money(principal.accountId)).toMatchObject({ balance: 10n, held: 0n });
    expect(await books.leases(principal.accountId)).toEqual([]);
  });

  test("each spend limit of a key refuses under its own name and says when it resets", async () => {
    const midnight = addDays(new Date(), 0);
    const month = new Date(Date.UTC(midnight.getUTCFullYear(), midnight.getUTCMonth() + 1, 1));
    const week = addDays(midnight, 7 - ((midnight.getUTCDay() + 6) % 7));
    const expected: [keyof KeyLimits, string, Date | null][] = [
      ["day", "key_day", addDays(midnight, 1)],
      ["week", "key_week", week],
      ["month", "key_month", month],
      ["total", "key_total", null],
    ];
    for (const [period, verdict, resetsAt] of expected) {
      const principal = await books.newPrincipal(10_000n, { [period]: 500n });
      expect(
        summary(await acquire([300n, 300n, 200n, 1n].map((want) => holdOf(principal, want)))),
      ).toEqual([300n, verdict, 200n, verdict]);
      const refused = await acquireOne(holdOf(principal, 1n));
      expect<unknown>(refused).toEqual({
        verdict,
        availableNanos: toNanos(0n),
        elsewhereNanos: toNanos(500n),
        resetsAt,
      });
    }
  });

  test("keys of one account share its money and keep their own limits", async () => {
    const first = await books.newPrincipal(1_000n, { day: 400n });
    const second: Principal = { ...first, keyId: await books.newKey(first.accountId) };
    const holds = [
      holdOf(first, 400n),
      holdOf(first, 1n),
      holdOf(second, 600n),
      holdOf(second, 1n),
    ];
    expect(summary(await acquire(holds))).toEqual([400n, "key_day", 600n, "in_flight"]);
  });

  test("suspended and frozen accounts and revoked keys reserve nothing, except for a late charge", async () => {
    const suspended = await books.newPrincipal(1_000n);
    await books.app.sql`update accounts set suspended_at = now() where id = ${suspended.accountId}`;
    const frozen = await books.newPrincipal(1_000n);
    await books.move(frozen.accountId, -1_001n);
    const revoked = await books.newPrincipal(1_000n);
    await books.app.sql`update api_keys set revoked_at = now() where id = ${revoked.keyId}`;
    const rotated = await books.newPrincipal(1_000n);
    await books.app.sql`update api_keys set revoked_at = now() + interval '1 hour'
                         where id = ${rotated.keyId}`;
    const holds = [suspended, frozen, revoked, rotated].map((principal) =>
      holdOf(principal, 1n, { floorNanos: toNanos(0n) }),
    );
    expect(summary(await acquire(holds))).toEqual(["suspended", "frozen", "key_revoked", 1n]);
    expect(summary(await acquire(holds, { late: true }))).toEqual([1n, 0n, 1n, 1n]);
  });

  test("an unknown account or key is reported missing, once it is certain that it is not merely locked", async () => {
    const known = await books.newPrincipal(1_000n);
    const other = await books.newPrincipal(1_000n);
    const holds = [
      holdOf({ accountId: newId<AccountId>(), keyId: known.keyId }, 1n),
      holdOf({ ...known, keyId: newId<ApiKeyId>() }, 1n),
    ];
    expect(summary(await acquire(holds))).toEqual(["busy", "busy"]);
    expect(summary(await acquire(holds, { wait: true }))).toEqual(["missing", "missing"]);
    const foreign = holdOf({ ...known, keyId: other.keyId }, 1n);
    expect(summary(await acquire([foreign], { wait: true }))).toEqual(["missing"]);
  });

  test("a locked account or key is busy, and its neighbors in the batch are not", async () => {
    const locked = await books.newPrincipal(1_000n);
    const lockedKey = await books.newPrincipal(1_000n);
    const free = await books.newPrincipal(1_000n);
    await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${locked.accountId} for update`;
      await sql`select 1 from api_keys where id = ${lockedKey.keyId} for update`;
      const holds = [locked, lockedKey, free].map((principal) => holdOf(principal, 10n));
      expect(summary(await acquire(holds))).toEqual(["busy", "busy", 10n]);
    });
  });
});

describe("a lease that may not grow", () => {
  test("is one that was closed, one of another hour or one of another instance", async () => {
    const instanceId = newId<InstanceId>();
    for (const change of [
      "closed_at = now(), granted_nanos = 0",
      "hour = hour + interval '1 hour'",
      `instance_id = '${instanceId}'`,
    ]) {
      const principal = await books.newPrincipal(10_000n);
      await acquire([holdOf(principal, 0n)]);
      const { accountId } = principal;
      await books.owner.sql.unsafe(`update leases set ${change} where account_id = '${accountId}'`);
      expect(summary([await acquireOne(holdOf(principal, 100n))])).toEqual(["closed"]);
      expect(await books.money(accountId)).toMatchObject({ held: 0n });
    }
  });
});

function addDays(date: Date, days: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days));
}
