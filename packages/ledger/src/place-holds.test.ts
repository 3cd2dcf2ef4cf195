import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, newId, noFailpoint, toNanos } from "@turnpike/base";
import type { HoldDecision, HoldRequest } from "./hold.ts";
import {
  grantOf,
  holdOf,
  type KeyLimits,
  openTestBooks,
  type Spender,
  settlementOf,
  type TestBooks,
} from "./open-test-books.ts";
import { placeHolds } from "./place-holds.ts";
import { settleHolds } from "./settle-holds.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

type Place = { wait?: boolean; retry?: boolean };

/** One batch, as a lane would send it. */
function place(holds: readonly HoldRequest[], { wait = false, retry = false }: Place = {}) {
  return placeHolds(books.app.sql, holds, {
    wait,
    retry,
    instanceId: books.instanceId,
    lifetimeMs: 60_000,
    failpoint: noFailpoint,
  });
}

async function placeOne(hold: HoldRequest, options?: Place): Promise<HoldDecision | "busy"> {
  const [decision] = await place([hold], options);
  if (decision === undefined) throw new Error("no decision");
  return decision;
}

function verdictOf(decision: HoldDecision | "busy"): string {
  return decision === "busy" ? "busy" : decision.verdict;
}

/** Whole units of 100: what was held of each request, or why nothing was. */
function summary(decisions: readonly (HoldDecision | "busy")[]): (bigint | string)[] {
  return decisions.map((decision) =>
    decision !== "busy" && decision.verdict === "held"
      ? decision.grantedNanos
      : verdictOf(decision),
  );
}

describe("what is granted", () => {
  test("a hold reserves what it asks for and tells what was available", async () => {
    const spender = await books.newSpender(1_000n);
    const hold = holdOf(spender, 300n);
    expect(await placeOne(hold)).toEqual({
      verdict: "held",
      grantedNanos: toNanos(300n),
      availableNanos: toNanos(1_000n),
    });
    expect(await books.money(spender.accountId)).toMatchObject({ balance: 1_000n, held: 300n });
    expect(await books.counters(spender.keyId)).toMatchObject({ day_held: 300n, total_held: 300n });
    expect(await books.row(hold.id)).toMatchObject({
      state: "open",
      held_nanos: "300",
      price_id: hold.priceId,
      instance_id: books.instanceId,
      trace_id: "trace",
    });
  });

  test("less money than wanted grants what is there, down to the floor", async () => {
    const spender = await books.newSpender(1_000n);
    const floor = { floorNanos: toNanos(400n) };
    expect(grantOf(decided(await placeOne(holdOf(spender, 5_000n, floor))))).toBe(toNanos(1_000n));
    const poor = await books.newSpender(399n);
    expect(verdictOf(await placeOne(holdOf(poor, 5_000n, floor)))).toBe("balance");
  });

  test("an exact hold is refused as clamped where it would get less", async () => {
    const spender = await books.newSpender(1_000n);
    const exact = { exact: true, floorNanos: toNanos(1n) };
    expect(await placeOne(holdOf(spender, 1_001n, exact))).toEqual({
      verdict: "clamped",
      availableNanos: toNanos(1_000n),
      resetsAt: null,
    });
    expect(grantOf(decided(await placeOne(holdOf(spender, 1_000n, exact))))).toBe(toNanos(1_000n));
  });

  test("halving leaves parallel calls their share, but never less than the floor", async () => {
    const spender = await books.newSpender(1_000n);
    const half = { halve: true, floorNanos: toNanos(100n) };
    const holds = Array.from({ length: 6 }, () => holdOf(spender, 5_000n, half));
    expect(summary(await place(holds))).toEqual([500n, 250n, 125n, 100n, "in_flight", "in_flight"]);
  });

  test("a floor above what is wanted does not refuse a small request", async () => {
    const spender = await books.newSpender(50n);
    const hold = holdOf(spender, 50n, { floorNanos: toNanos(256n) });
    expect(grantOf(decided(await placeOne(hold)))).toBe(toNanos(50n));
  });

  test("a free request is held without money", async () => {
    const spender = await books.newSpender(0n);
    expect(grantOf(decided(await placeOne(holdOf(spender, 0n))))).toBe(toNanos(0n));
  });

  test("a request without a key is held by the account alone", async () => {
    const spender = await books.newSpender(1_000n, { total: 10n });
    const hold = holdOf(spender, 500n, { keyId: null });
    expect(grantOf(decided(await placeOne(hold)))).toBe(toNanos(500n));
    expect(await books.counters(spender.keyId)).toMatchObject({ total_held: 0n });
  });

  test("a negative hold is refused by the database itself", async () => {
    const spender = await books.newSpender(1_000n);
    const hold = holdOf(spender, -5n);
    expect(await place([hold]).catch((error) => error.code)).toBe("23514");
    expect(await books.row(hold.id)).toBeUndefined();
  });
});

describe("who is refused", () => {
  test("a large refused request does not refuse a small one behind it", async () => {
    const spender = await books.newSpender(1_000n);
    const holds = [600n, 5_000n, 300n, 900n, 100n].map((want) => holdOf(spender, want));
    expect(summary(await place(holds))).toEqual([600n, "balance", 300n, "in_flight", 100n]);
  });

  test("money held by running requests is told apart from money that is not there", async () => {
    const spender = await books.newSpender(1_000n);
    await place([holdOf(spender, 900n)]);
    expect(await placeOne(holdOf(spender, 1_000n))).toEqual({
      verdict: "in_flight",
      availableNanos: toNanos(100n),
      resetsAt: null,
    });
    expect(verdictOf(await placeOne(holdOf(spender, 1_001n)))).toBe("balance");
  });

  test("a refused hold moves no money and leaves no row", async () => {
    const spender = await books.newSpender(10n);
    const hold = holdOf(spender, 11n);
    await place([hold]);
    expect(await books.money(spender.accountId)).toMatchObject({ balance: 10n, held: 0n });
    expect(await books.row(hold.id)).toBeUndefined();
  });

  test("each spend limit of a key refuses by its own name and tells when it starts anew", async () => {
    const midnight = startOfToday();
    const month = new Date(Date.UTC(midnight.getUTCFullYear(), midnight.getUTCMonth() + 1, 1));
    const week = addDays(midnight, 7 - ((midnight.getUTCDay() + 6) % 7));
    const expected: [keyof KeyLimits, string, Date | null][] = [
      ["day", "key_day", addDays(midnight, 1)],
      ["week", "key_week", week],
      ["month", "key_month", month],
      ["total", "key_total", null],
    ];
    for (const [period, verdict, resetsAt] of expected) {
      const spender = await books.newSpender(10_000n, { [period]: 500n });
      expect(
        summary(await place([300n, 300n, 200n, 1n].map((want) => holdOf(spender, want)))),
      ).toEqual([300n, verdict, 200n, verdict]);
      const refused = await placeOne(holdOf(spender, 1n));
      // Not toMatchObject: to that any two dates are equal.
      expect<unknown>(refused).toEqual({ verdict, availableNanos: toNanos(0n), resetsAt });
    }
  });

  test("keys of one account share its money and keep their own limits", async () => {
    const first = await books.newSpender(1_000n, { day: 400n });
    const second: Spender = { ...first, keyId: await books.newKey(first.accountId) };
    const holds = [
      holdOf(first, 400n),
      holdOf(first, 1n),
      holdOf(second, 600n),
      holdOf(second, 1n),
    ];
    expect(summary(await place(holds))).toEqual([400n, "key_day", 600n, "in_flight"]);
  });

  test("suspended and frozen accounts and revoked keys hold nothing", async () => {
    const suspended = await books.newSpender(1_000n);
    await books.app.sql`update accounts set suspended_at = now() where id = ${suspended.accountId}`;
    const frozen = await books.newSpender(1_000n);
    await books.move(frozen.accountId, -1_001n);
    const revoked = await books.newSpender(1_000n);
    await books.app.sql`update api_keys set revoked_at = now() where id = ${revoked.keyId}`;
    const rotated = await books.newSpender(1_000n);
    await books.app.sql`update api_keys set revoked_at = now() + interval '1 hour'
                         where id = ${rotated.keyId}`;
    const holds = [suspended, frozen, revoked, rotated].map((spender) => holdOf(spender, 1n));
    expect(summary(await place(holds))).toEqual(["suspended", "frozen", "key_revoked", 1n]);
  });

  test("an unknown account or key is missing, once it is certain that it is not just locked", async () => {
    const known = await books.newSpender(1_000n);
    const stranger = await books.newSpender(1_000n);
    const holds = [
      holdOf({ accountId: newId<AccountId>(), keyId: known.keyId }, 1n),
      holdOf({ ...known, keyId: newId<ApiKeyId>() }, 1n),
      holdOf(known, 1n),
    ];
    expect(summary(await place(holds))).toEqual(["busy", "busy", 1n]);
    const again = holds.map((hold) => ({ ...hold, id: holdOf(known, 1n).id }));
    expect(summary(await place(again, { wait: true }))).toEqual(["missing", "missing", 1n]);
    const alone = holdOf({ accountId: newId<AccountId>(), keyId: known.keyId }, 1n);
    expect(summary(await place([alone]))).toEqual(["busy"]);
    expect(summary(await place([alone], { wait: true }))).toEqual(["missing"]);
    const foreign = holdOf({ ...known, keyId: stranger.keyId }, 1n);
    expect(summary(await place([holdOf(stranger, 1n), foreign]))).toEqual([1n, "missing"]);
  });

  test("a locked account or key is busy, and its neighbours in the batch are not", async () => {
    const locked = await books.newSpender(1_000n);
    const lockedKey = await books.newSpender(1_000n);
    const free = await books.newSpender(1_000n);
    await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${locked.accountId} for update`;
      await sql`select 1 from api_keys where id = ${lockedKey.keyId} for update`;
      const holds = [locked, lockedKey, free].map((spender) => holdOf(spender, 10n));
      expect(summary(await place(holds))).toEqual(["busy", "busy", 10n]);
    });
  });
});

describe("the same id again", () => {
  test("a retry after a lost answer finds the hold it had placed and places no other", async () => {
    const spender = await books.newSpender(1_000n);
    const [first, second] = [holdOf(spender, 300n), holdOf(spender, 400n)];
    await place([first]);
    expect(summary(await place([first, second], { retry: true, wait: true }))).toEqual([
      300n,
      400n,
    ]);
    expect(await books.money(spender.accountId)).toMatchObject({ held: 700n });
  });

  test.each(["settled", "released", "expired"] as const)(
    "a retry of a hold that was %s meanwhile is not held again and moves nothing",
    async (state) => {
      const spender = await books.newSpender(1_000n);
      const hold = holdOf(spender, 300n);
      await place([hold]);
      const settlement = settlementOf(hold, 100n, { state });
      await settleHolds(books.app.sql, [settlement], { wait: true, failpoint: noFailpoint });
      const before = await books.money(spender.accountId);
      expect(summary(await place([hold], { retry: true, wait: true }))).toEqual(["missing"]);
      expect(await books.money(spender.accountId)).toEqual(before);
      expect(before.held).toBe(0n);
    },
  );

  test("an id twice in a batch, or again without retry, fails the batch and holds nothing", async () => {
    const spender = await books.newSpender(1_000n);
    const hold = holdOf(spender, 300n);
    expect(await place([hold, hold]).catch((error) => error.code)).toBe("23505");
    expect(await books.money(spender.accountId)).toMatchObject({ held: 0n });
    await place([hold]);
    expect(await place([hold]).catch((error) => error.code)).toBe("23505");
    expect(await books.money(spender.accountId)).toMatchObject({ held: 300n });
  });
});

function decided(decision: HoldDecision | "busy"): HoldDecision {
  if (decision === "busy") throw new Error("busy");
  return decision;
}

function startOfToday(): Date {
  return addDays(new Date(), 0);
}

function addDays(date: Date, days: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days));
}
