// T1: random lives of accounts, played against the real ledger and against plain numbers at once.
// After every step both agree on every balance and counter, and the books are clean.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId, noFailpoint, type PriceId, toNanos } from "@turnpike/base";
import fc from "fast-check";
import { type ModelHold, MoneyModel, periods } from "./money-model.ts";
import type { Ledger } from "./open-ledger.ts";
import {
  holdOf,
  openTestBooks,
  type Spender,
  settlementOf,
  type TestBooks,
} from "./open-test-books.ts";
import { placeHolds } from "./place-holds.ts";

let books: TestBooks;
let ledger: Ledger;
beforeAll(async () => {
  books = await openTestBooks();
  ledger = books.openLedger();
});
afterAll(() => books.close());

type Real = { readonly spenders: readonly Spender[] };
type Command = fc.AsyncCommand<MoneyModel, Real>;

/** A step that always applies; the comparison follows every one of them. */
function command(
  name: string,
  run: (model: MoneyModel, spenders: readonly Spender[]) => Promise<void>,
): Command {
  return {
    check: () => true,
    async run(model, { spenders }) {
      await run(model, spenders);
      await compare(model, spenders);
    },
    toString: () => name,
  };
}

async function compare(model: MoneyModel, spenders: readonly Spender[]): Promise<void> {
  const { balance, held, frozen } = model;
  expect(await books.money(accountOf(spenders))).toEqual({ balance, held, frozen });
  for (const [index, { keyId }] of spenders.entries()) {
    const key = model.keyOf(index);
    const expected = periods.flatMap((period) => [
      [`${period}_spent`, key.spent],
      [`${period}_held`, key.held],
    ]);
    expect(await books.counters(keyId)).toEqual(Object.fromEntries(expected));
    if (key.limit !== undefined) expect(key.spent + key.held).toBeLessThanOrEqual(key.limit);
  }
  expect(await books.check()).toEqual([]);
}

function accountOf(spenders: readonly Spender[]): Spender["accountId"] {
  return spenderOf(spenders, 0).accountId;
}

function spenderOf(spenders: readonly Spender[], index: number): Spender {
  const spender = spenders[index];
  if (spender === undefined) throw new Error(`no spender ${index}`);
  return spender;
}

/** Refunds may push the balance below what is held, even below zero: that freezes the account. */
const move = (amount: bigint) =>
  command(`move(${amount})`, async (model, spenders) => {
    await books.move(accountOf(spenders), amount);
    model.balance += amount;
  });

const suspend = (suspended: boolean) =>
  command(`suspend(${suspended})`, async (model, spenders) => {
    const at = suspended ? new Date().toISOString() : null;
    await books.app.sql`
      update accounts set suspended_at = ${at} where id = ${accountOf(spenders)}`;
    model.suspended = suspended;
  });

const changePrice = () =>
  command("changePrice()", async (model) => {
    model.priceId = newId<PriceId>();
    await books.app.sql`
      insert into prices (id, model, input_nanos, cached_input_nanos, cache_write_nanos, output_nanos)
      values (${model.priceId}, 'model', 1, 1, 1, 1)`;
  });

type HoldStep = {
  key: number;
  want: bigint;
  floor: bigint;
  kind: "clamp" | "exact" | "halve";
  answerLost: boolean;
};

const hold = (step: HoldStep) =>
  command(`hold(${describe(step)})`, async (model, spenders) => {
    const request = holdOf(spenderOf(spenders, step.key), step.want, {
      floorNanos: toNanos(step.floor),
      halve: step.kind === "halve",
      exact: step.kind === "exact",
      priceId: model.priceId,
    });
    const place = (retry: boolean) =>
      placeHolds(books.app.sql, [request], {
        instanceId: books.instanceId,
        lifetimeMs: 3_600_000,
        wait: true,
        retry,
        failpoint: noFailpoint,
      });
    const expected = model.hold(request.id, step);
    if (step.answerLost) await place(false);
    const [decision] = await place(step.answerLost);
    if (typeof expected === "string") expect(decision).toMatchObject({ verdict: expected });
    else expect(decision).toMatchObject({ verdict: "held", grantedNanos: toNanos(expected) });
  });

type SettleStep = { pick: number; percent: bigint; state: "settled" | "released" };

/** The cost in percent of what was held: above 100 leaves a shortfall, or is settled late. */
const settle = (step: SettleStep) =>
  command(`settle(${describe(step)})`, async (model, spenders) => {
    const chosen = model.pick(step.pick);
    if (chosen === undefined) return;
    const cost = (chosen.granted * step.percent) / 100n;
    const settled = await ledger.settleHold(
      settlementOf({ id: chosen.id, accountId: accountOf(spenders) }, cost, { state: step.state }),
    );
    const expected = model.settle(chosen, step.state === "settled" ? cost : 0n, step.state);
    expect(settled).toMatchObject(expected);
    await expectPinnedPrice(chosen);
  });

const expire = (pick: number) =>
  command(`expire(${pick})`, async (model) => {
    const chosen = model.pick(pick);
    if (chosen?.state !== "open") return;
    await books.owner.sql`
      update requests set expires_at = now() - interval '1 second' where id = ${chosen.id}`;
    expect(await ledger.reapHolds({ silentMs: 3_600_000, limit: 10 })).toBe(1);
    model.expire(chosen);
  });

async function expectPinnedPrice(chosen: ModelHold): Promise<void> {
  expect(await books.row(chosen.id)).toMatchObject({ price_id: chosen.priceId });
}

function describe(step: HoldStep | SettleStep): string {
  return Object.entries(step)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

const amount = (max: bigint) => fc.bigInt({ min: 0n, max });
const pick = fc.nat({ max: 30 });
const steps: fc.Arbitrary<Command>[] = [
  amount(2_000n).map(move),
  amount(2_500n).map((size) => move(-size)),
  fc.boolean().map(suspend),
  fc.constant(null).map(changePrice),
  pick.map(expire),
];
const holdStep = fc
  .record({
    key: fc.nat({ max: 4 }),
    want: amount(1_500n),
    floor: amount(600n),
    kind: fc.constantFrom("clamp" as const, "exact" as const, "halve" as const),
    answerLost: fc.boolean(),
  })
  .map(hold);
const settleStep = fc
  .record({
    pick,
    percent: fc.constantFrom(0n, 30n, 100n, 250n),
    state: fc.constantFrom("settled" as const, "settled" as const, "released" as const),
  })
  .map(settle);

test("T1: the ledger agrees with plain numbers after every step of 200 random lives", async () => {
  // Holds and settlements make up most of a life.
  const all = [...steps, holdStep, holdStep, holdStep, settleStep, settleStep, settleStep];
  const property = fc.asyncProperty(
    fc.array(fc.option(amount(1_500n), { nil: undefined }), { minLength: 4, maxLength: 4 }),
    fc.commands(all, { maxCommands: 20, size: "max" }),
    (limits, commands) => fc.asyncModelRun(() => openLife([...limits, undefined]), commands),
  );
  const seed = Math.floor(Math.random() * 0x7fff_ffff);
  console.log(`seed of the random lives: ${seed}`);
  await fc.assert(property, { seed, numRuns: 200 });
}, 300_000);

/** A fresh account with 2,000 and a key for each kind of limit, and one without any. */
async function openLife(limits: readonly (bigint | undefined)[]) {
  const first = await books.newSpender(2_000n, limitOf(0, limits));
  const spenders = [first];
  for (const index of limits.keys()) {
    if (index === 0) continue;
    const keyId = await books.newKey(first.accountId, limitOf(index, limits));
    spenders.push({ accountId: first.accountId, keyId });
  }
  return { model: new MoneyModel(2_000n, limits), real: { spenders } };
}

function limitOf(index: number, limits: readonly (bigint | undefined)[]) {
  const [period, limit] = [periods[index], limits[index]];
  return period === undefined || limit === undefined ? {} : { [period]: limit };
}
