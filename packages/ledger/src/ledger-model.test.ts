// T1: random histories of accounts, played against real ledgers of two processes and against plain
// numbers. After every step both agree on what was spent and what calls hold, and the books are clean.
// An ordinary run plays twenty histories of up to twenty steps; each kind of step is also in a test of its own.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type InstanceId, newId } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import { runsOf, searchTimeoutMs } from "@turnpike/testing";
import fc from "fast-check";
import type { Hold } from "./hold.ts";
import { type FaultyProcess, holdDuringFault } from "./hold-during-fault.fixture.ts";
import {
  amount,
  type ChargeStep,
  chargeSteps,
  describe,
  type HoldStep,
  holdSteps,
} from "./model-steps.fixture.ts";
import { type ModelHold, MoneyModel, periods } from "./money-model.fixture.ts";
import {
  chargeOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "./open-test-books.fixture.ts";

setDefaultTimeout(searchTimeoutMs);

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

/** One process: its ledger, its row among the instances, and a clock that can be moved. */
type Process = FaultyProcess & { readonly instanceId: InstanceId; dead: boolean };
type Real = {
  readonly principals: readonly Principal[];
  readonly processes: Process[];
  readonly holds: Map<ModelHold, { readonly hold: Hold; readonly process: Process }>;
};
type Command = fc.AsyncCommand<MoneyModel, Real>;

/** A step that always applies; the comparison follows every one of them. */
function command(name: string, run: (model: MoneyModel, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      await compare(model, real);
    },
    toString: () => name,
  };
}

/** A midnight here dates running calls back by weeks, which no real lease lives to see. */
async function checkBooks(): Promise<void> {
  const violations = await books.check();
  expect(violations.filter(({ check }) => !check.startsWith("a lease is open "))).toEqual([]);
}

/** Idle money is returned first, so that what is held is what running calls hold. */
async function compare(model: MoneyModel, { principals, processes }: Real): Promise<void> {
  await checkBooks();
  const account = accountOf(principals);
  expect((await books.shown(account)).balance).toBe(model.balance);
  for (const { ledger, dead } of processes) if (!dead) await ledger.recall();
  expect(await books.shown(account)).toEqual({ balance: model.balance, held: model.held });
  expect((await books.money(account)).frozen).toBe(model.isFrozen);
  for (const [index, { keyId }] of principals.entries()) {
    const key = model.keyOf(index);
    const expected = periods.flatMap((period) => [
      [`${period}_spent`, key.spent[period]],
      [`${period}_held`, key.held[period]],
    ]);
    expect(await books.shownOfKey(keyId)).toEqual(Object.fromEntries(expected));
    const limited = periods[index];
    if (key.limit === undefined || limited === undefined) continue;
    expect(key.spent[limited] + key.held[limited]).toBeLessThanOrEqual(key.limit);
  }
  await checkBooks();
}

function accountOf(principals: readonly Principal[]): Principal["accountId"] {
  return itemOf(principals, 0).accountId;
}

function itemOf<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
}

/** Refunds may push the balance below what is held, even below zero: that freezes the account. */
const move = (amount: bigint) =>
  command(`move(${amount})`, async (model, { principals, processes }) => {
    for (const { ledger, dead } of processes) if (!dead) await ledger.recall();
    await books.move(accountOf(principals), amount);
    model.balance += amount;
  });

/** Less than what is used of it is refused. */
const setCreditLimit = (limit: bigint) =>
  command(`setCreditLimit(${limit})`, async (model, { principals, processes }) => {
    for (const { ledger, dead } of processes) if (!dead) await ledger.recall();
    const isSet = await books.owner.sql`
      select set_credit_limit(${accountOf(principals)}, ${limit.toString()}::bigint, null)`.then(
      () => true,
      (error: unknown) => {
        if (!String(error).includes("accounts_never_overdrawn")) throw error;
        return false;
      },
    );
    expect(isSet).toBe(model.setCreditLimit(limit));
  });

const suspend = (suspended: boolean) =>
  command(`suspend(${suspended})`, async (model, { principals }) => {
    const at = suspended ? new Date().toISOString() : null;
    await books.app.sql`
      update accounts set suspended_at = ${at} where id = ${accountOf(principals)}`;
    model.suspended = suspended;
  });

const hold = (drawn: HoldStep) => {
  // What a fault leaves reserved for a moment may halve a call, but must not refuse it.
  const step = drawn.fault === "none" ? drawn : { ...drawn, floor: drawn.want };
  return command(`hold(${describe(step)})`, async (model, real) => {
    const process = itemOf(real.processes, step.process);
    const request = holdOf(itemOf(real.principals, step.key), step.want, {
      floorNanos: toNanos(step.floor),
      atMostHalf: step.kind === "halve",
      allOrNothing: step.kind === "exact",
    });
    const decision =
      step.fault === "none"
        ? await process.ledger.hold(request)
        : await holdDuringFault(books, process, request, step.fault);
    const { verdict, most, least } = model.decide(step);
    // What the fault left reserved may still be on its way back when the call is refused.
    const isOnItsWay = step.fault !== "none" && verdict === "balance";
    expect(isOnItsWay ? ["balance", "in_flight"] : [verdict]).toContain(decision.verdict);
    if (decision.verdict !== "held") return;
    const { grantedNanos } = decision.hold;
    expect(grantedNanos).toBeLessThanOrEqual(most);
    expect(grantedNanos).toBeGreaterThanOrEqual(least);
    real.holds.set(model.hold(step.key, grantedNanos), { hold: decision.hold, process });
  });
};

/** The cost in percent of what was held: above 100 leaves a shortfall. */
const charge = (step: ChargeStep) =>
  command(`charge(${describe(step)})`, async (model, real) => {
    const chosen = model.pick(step.pick);
    const running = chosen && real.holds.get(chosen);
    if (chosen === undefined || running === undefined) return;
    const cost = step.state === "settled" ? (chosen.granted * step.percent) / 100n : 0n;
    const charged = await running.process.ledger.charge(
      chargeOf(running.hold, cost, { state: step.state }),
    );
    real.holds.delete(chosen);
    const expected = model.charge(chosen, cost, step.state, charged.chargedNanos);
    expect(charged).toMatchObject(expected);
  });

/** The hour ends for one process: its leases grant nothing more and close once their calls have ended. */
const endHour = (index: number) =>
  command(`endHour(${index})`, async (_model, { processes }) => {
    itemOf(processes, index).aheadMs += 3_600_000;
  });

/**
 * Midnight, for everyone: whatever was spent and held so far belongs to another day, week and month, and
 * no call is granted from its leases.
 */
const passMidnight = () =>
  command("passMidnight()", async (model, { principals, processes }) => {
    const account = accountOf(principals);
    await books.owner.sql.begin(async (sql) => {
      await sql`select from accounts where id = ${account} for update`;
      await sql`update leases set hour = hour - interval '40 days' where account_id = ${account}`;
      await sql`
        update api_keys set day_start = day_start - 40,
               week_start = date_trunc('week', day_start - 40)::date,
               month_start = date_trunc('month', day_start - 40)::date
         where account_id = ${account}`;
      await sql`
        update budgets b set period_start = budget_start(b.period, k.day_start)
          from api_keys k where k.account_id = ${account} and b.subject_id = k.id`;
    });
    for (const process of processes) process.aheadMs += 3_600_000;
    model.passMidnight();
  });

/** A process dies: others close its leases. A new one replaces it; its calls are charged late. */
const die = (index: number) =>
  command(`die(${index})`, async (model, { processes, holds }) => {
    const process = itemOf(processes, index);
    process.dead = true;
    await books.owner.sql`update instances set ended_at = now() where id = ${process.instanceId}`;
    const position = processes.indexOf(process);
    const successor = await openProcess();
    processes[position] = successor;
    while ((await openLeasesOf(process.instanceId)) > 0) {
      await successor.ledger.reapLeases({ silentMs: 3_600_000, limit: 100 });
    }
    for (const [chosen, running] of holds) {
      if (running.process === process) model.lose(chosen);
    }
  });

async function openLeasesOf(instanceId: InstanceId): Promise<number> {
  const [row] = await books.owner.sql<{ open: number }[]>`
    select count(*)::int as open from leases where instance_id = ${instanceId} and closed_at is null`;
  return row?.open ?? 0;
}

const everyProcess: Process[] = [];

async function openProcess(): Promise<Process> {
  const instanceId = newId<InstanceId>();
  await books.owner.sql`insert into instances (id) values (${instanceId})`;
  const process: Process = {
    instanceId,
    aheadMs: 0,
    dead: false,
    onPoint: undefined,
    ledger: books.openLedger({
      instanceId,
      // A busy machine refuses no call that the numbers admit.
      holdMs: 60_000,
      nowMs: () => performance.now() + process.aheadMs,
      failpoint: (name) => process.onPoint?.(name),
      async recallElsewhere(accountId) {
        for (const other of everyProcess) {
          if (other !== process && !other.dead) await other.ledger.recall(accountId);
        }
      },
    }),
  };
  everyProcess.push(process);
  return process;
}

const rare: fc.Arbitrary<Command>[] = [
  amount(60_000n).map(move),
  amount(70_000n).map((size) => move(-size)),
  amount(50_000n).map(setCreditLimit),
  fc.constant(setCreditLimit(0n)),
  fc.boolean().map(suspend),
  fc.nat({ max: 1 }).map(endHour),
  fc.constant(passMidnight()),
  fc.nat({ max: 1 }).map(die),
];
const holdStep = holdSteps.map(hold);
const chargeStep = chargeSteps.map(charge);

test("T1: the ledger agrees with plain numbers after every step of random histories", async () => {
  // Holds and charges make up most of a history.
  const all = [...rare, holdStep, holdStep, holdStep, holdStep, chargeStep, chargeStep, chargeStep];
  const property = fc.asyncProperty(
    fc.array(fc.option(amount(50_000n), { nil: undefined }), { minLength: 4, maxLength: 4 }),
    fc.commands(all, { maxCommands: 20, size: "max" }),
    async (limits, commands) => {
      const life = await openLife([...limits, undefined]);
      try {
        await fc.asyncModelRun(() => life, commands);
      } finally {
        await endLife(life.real);
      }
    },
  );
  const seed = Math.floor(Math.random() * 0x7fff_ffff);
  console.log(`seed of the random histories: ${seed}`);
  await fc.assert(property, { seed, numRuns: runsOf({ short: 20, long: 1_000 }) });
});

/** A fresh account with 60,000, a key for each kind of limit and one without any, and two processes. */
async function openLife(limits: readonly (bigint | undefined)[]) {
  const first = await books.newPrincipal(60_000n, limitOf(0, limits));
  const principals = [first];
  for (const index of limits.keys()) {
    if (index === 0) continue;
    const keyId = await books.newKey(first.accountId, limitOf(index, limits));
    principals.push({ accountId: first.accountId, keyId });
  }
  const processes = [await openProcess(), await openProcess()];
  const real: Real = { principals, processes, holds: new Map() };
  return { model: new MoneyModel(60_000n, limits), real };
}

/** Calls that are still running are released, and every process drains: nothing stays held. */
async function endLife({ principals, processes, holds }: Real): Promise<void> {
  for (const { hold: running, process } of holds.values()) {
    await process.ledger.charge(chargeOf(running, 0n, { state: "released" }));
  }
  for (const { ledger } of processes) expect(await ledger.drain(60_000)).toBe(true);
  const ids = new Set(processes);
  for (const process of everyProcess.splice(0)) {
    if (!ids.has(process)) await process.ledger.drain(60_000);
    await process.ledger.close();
  }
  expect((await books.money(accountOf(principals))).held).toBe(0n);
  expect(await books.check()).toEqual([]);
}

function limitOf(index: number, limits: readonly (bigint | undefined)[]) {
  const [period, limit] = [periods[index], limits[index]];
  return period === undefined || limit === undefined ? {} : { [period]: limit };
}
