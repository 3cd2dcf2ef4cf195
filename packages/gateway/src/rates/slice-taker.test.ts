// What an instance returns of its slices, and when.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import type { RateBucketChange, RateBuckets } from "@turnpike/ledger";
import { RateSlice } from "./rate-slice.ts";
import { SliceTaker } from "./slice-taker.ts";

type TakenRates = Awaited<ReturnType<RateBuckets["take"]>>;
type Statement = {
  readonly changes: readonly RateBucketChange[];
  readonly answer: (remaining: number) => void;
};

function openTaker() {
  const statements: Statement[] = [];
  let sent = Promise.withResolvers<Statement>();
  const buckets: RateBuckets = {
    take(changes, needs) {
      const { promise, resolve } = Promise.withResolvers<TakenRates>();
      const answer = (remaining: number) =>
        resolve({
          refused: needs.map(() => 0),
          extra: changes.map(() => 0),
          remaining: changes.map(() => remaining),
        });
      const statement = { changes, answer };
      statements.push(statement);
      sent.resolve(statement);
      return promise;
    },
    close: async () => undefined,
  };
  const taker = new SliceTaker({
    buckets,
    waitMs: 60_000,
    nowMs: () => 0,
    onFailure: () => undefined,
  });
  /** The next statement. */
  async function next(): Promise<Statement> {
    const statement = await sent.promise;
    sent = Promise.withResolvers();
    return statement;
  }
  return { taker, next, statements };
}

function concurrencyOf(limit: number): RateSlice {
  const accountId = newId<AccountId>();
  const owner = {
    accountId,
    subjectId: accountId,
    kind: "account",
    dimension: "concurrency",
  } as const;
  return new RateSlice(owner, limit, { instances: 1, rank: 0 }, 0);
}

test("a slot of a call that ends while another one's is returned is returned at once as well", async () => {
  const { taker, next } = openTaker();
  const slice = concurrencyOf(2);
  const taking = [taker.take([slice], [1]), taker.take([slice], [1])];
  (await next()).answer(0);
  expect(await Promise.all(taking)).toEqual(["granted", "granted"]);
  slice.end(1, 0, 0);
  void taker.settle([slice]);
  const first = await next();
  expect(first.changes.map(({ settled }) => settled)).toEqual([1]);
  slice.end(1, 0, 0);
  void taker.settle([slice]);
  first.answer(1);
  const second = await next();
  expect(second.changes.map(({ settled }) => settled)).toEqual([0]);
  second.answer(2);
  await taker.settled();
});

test("FR3: the database is told again of slots in use, which it forgets in a crash", () => {
  const slice = concurrencyOf(2);
  slice.start(1, 0);
  slice.updateFromDatabase(1, 0);
  expect(slice.sweep(9_000)).toBe(false);
  expect(slice.sweep(10_000)).toBe(true);
  slice.updateFromDatabase(1, 10_000);
  expect(slice.sweep(11_000)).toBe(false);
});

test("thousands of slices are settled a part at a time, each in a statement of its own", async () => {
  const { taker, next } = openTaker();
  const slices = Array.from({ length: 1_000 }, () => concurrencyOf(2));
  for (const slice of slices) slice.isUnsure = true;
  const settling = taker.settleAll(slices);
  const sizes: number[] = [];
  while (slices.some(({ isUnsure }) => isUnsure)) {
    const statement = await next();
    sizes.push(statement.changes.length);
    statement.answer(2);
    await new Promise(setImmediate);
  }
  await settling;
  expect(sizes).toEqual([200, 200, 200, 200, 200]);
});
