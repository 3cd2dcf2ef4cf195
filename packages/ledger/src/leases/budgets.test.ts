// Hard budgets of an account, a project, a member and a key decide where the balance is decided: exactly what
// they allow is admitted, from any process and whatever else is open.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  type AccountId,
  type ApiKeyId,
  newId,
  type PersonId,
  type ProjectId,
} from "@turnpike/base";
import { type BudgetKind, budgetKinds, budgetPeriods } from "@turnpike/terms";
import { setDatabaseClock } from "@turnpike/testing";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
} from "../open-test-books.fixture.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

type Payer = {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  readonly personId: PersonId;
  readonly projectId: ProjectId;
};

/** An account whose key belongs to a project and was made by a person. */
async function newPayer(balance = 1_000_000n): Promise<Payer> {
  const { accountId, keyId } = await books.newPrincipal(balance);
  const payer = { accountId, keyId, personId: newId<PersonId>(), projectId: newId<ProjectId>() };
  const { sql } = books.owner;
  await sql`insert into persons (id, email) values (${payer.personId}, ${`${payer.personId}@example.com`})`;
  await sql`insert into projects (account_id, id, name)
    values (${accountId}, ${payer.projectId}, ${payer.projectId})`;
  await sql`update api_keys set project_id = ${payer.projectId}, created_by = ${payer.personId}
    where id = ${keyId}`;
  return payer;
}

/** Another key of the same project and person. */
async function siblingOf(payer: Payer): Promise<Payer> {
  const keyId = await books.newKey(payer.accountId);
  await books.owner.sql`update api_keys set project_id = ${payer.projectId},
    created_by = ${payer.personId} where id = ${keyId}`;
  return { ...payer, keyId };
}

const subjectOf = (payer: Payer, kind: BudgetKind): string =>
  ({
    account: payer.accountId,
    project: payer.projectId,
    member: payer.personId,
    key: payer.keyId,
  })[kind];

async function setBudget(
  payer: Payer,
  kind: BudgetKind,
  limit: bigint,
  { period = "day", hard = true } = {},
): Promise<void> {
  await books.app.sql`
    insert into budgets (account_id, kind, subject_id, period, limit_nanos, hard)
    values (${payer.accountId}, ${kind}, ${subjectOf(payer, kind)}, ${period}, ${limit.toString()}, ${hard})
    on conflict (account_id, subject_id, kind, period) do update set limit_nanos = excluded.limit_nanos`;
}

async function queryBudget(payer: Payer, kind: BudgetKind) {
  const [row] = await books.app.sql<{ spent: string; held: string; start: string }[]>`
    select spent_nanos as spent, held_nanos as held, period_start::text as start from budgets
     where account_id = ${payer.accountId} and kind = ${kind} order by period limit 1`;
  if (row === undefined) throw new Error(`no budget of the ${kind}`);
  return { spent: BigInt(row.spent), held: BigInt(row.held), start: row.start };
}

const callOf = ({ accountId, keyId }: Payer, want: bigint) => holdOf({ accountId, keyId }, want);

describe.each([...budgetKinds])("a budget of the %s", (kind) => {
  test("admits exactly what it allows, from two processes at once", async () => {
    const payer = await newPayer();
    await setBudget(payer, kind, 700n);
    const processes = [books.openLedger(), books.openLedger()];
    const calls = Array.from({ length: 20 }, (_, index) =>
      processes[index % 2]?.hold(callOf(payer, 100n)),
    );
    const decisions = (await Promise.all(calls)).map((decision) => decision?.verdict);
    expect(decisions.filter((verdict) => verdict === "held")).toHaveLength(7);
    expect(new Set<string | undefined>(decisions)).toEqual(new Set(["held", `${kind}_day`]));
  });

  test.each([...budgetPeriods])(
    "per %s refuses under its own name until it resets",
    async (period) => {
      const payer = await newPayer();
      const ledger = books.openLedger();
      await setBudget(payer, kind, 500n, { period });
      const hold = grantOf(await ledger.hold(callOf(payer, 400n)));
      await ledger.charge(chargeOf(hold, 400n));
      const refused = await ledger.hold(callOf(payer, 101n));
      expect(refused).toMatchObject({ verdict: `${kind}_${period}`, availableNanos: 100n });
      if (refused.verdict === "held") throw new Error("not refused");
      expect(refused.resetsAt === null).toBe(period === "total");
      grantOf(await ledger.hold(callOf(payer, 100n)));
    },
  );

  test("counts what was held and spent before it was set, and gives back what a call did not cost", async () => {
    const payer = await newPayer();
    const ledger = books.openLedger();
    const first = grantOf(await ledger.hold(callOf(payer, 300n)));
    await ledger.charge(chargeOf(first, 250n));
    const second = grantOf(await ledger.hold(callOf(payer, 300n)));
    await setBudget(payer, kind, 1_000n);
    const { spent, held } = await queryBudget(payer, kind);
    expect(spent + held).toBeGreaterThanOrEqual(550n);
    await ledger.recall(payer.accountId);
    await ledger.charge(chargeOf(second, 50n));
    expect(await ledger.drain(60_000)).toBe(true);
    expect(await queryBudget(payer, kind)).toMatchObject({ spent: 300n, held: 0n });
  });

  test("that was lowered below what idle leases hold refuses once they are recalled", async () => {
    const payer = await newPayer();
    const ledger = books.openLedger();
    await setBudget(payer, kind, 1_000_000n);
    for (const want of [100n, 200n, 300n]) {
      await ledger.charge(chargeOf(grantOf(await ledger.hold(callOf(payer, want))), want));
    }
    await setBudget(payer, kind, 650n);
    await ledger.recall(payer.accountId);
    expect(await ledger.hold(callOf(payer, 51n))).toMatchObject({ verdict: `${kind}_day` });
    grantOf(await ledger.hold(callOf(payer, 50n)));
  });

  test("that is soft counts and refuses nothing", async () => {
    const payer = await newPayer();
    const ledger = books.openLedger();
    await setBudget(payer, kind, 10n, { hard: false });
    await ledger.charge(chargeOf(grantOf(await ledger.hold(callOf(payer, 400n))), 400n));
    expect(await ledger.drain(60_000)).toBe(true);
    expect(await queryBudget(payer, kind)).toMatchObject({ spent: 400n, held: 0n });
  });

  test("begins again at midnight of the account's time zone, in the middle of a UTC hour", async () => {
    const payer = await newPayer();
    await books.app
      .sql`update accounts set time_zone = 'Asia/Kolkata' where id = ${payer.accountId}`;
    await setBudget(payer, kind, 500n);
    const day = new Date().toISOString().slice(0, 10);
    const nextDay = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    const midnight = new Date(`${day}T18:30:00.000Z`);
    try {
      await setDatabaseClock(books.database, new Date(midnight.getTime() - 1_000));
      const before = books.openLedger();
      const hold = grantOf(await before.hold(callOf(payer, 500n)));
      const refused = await before.hold(callOf(payer, 1n));
      expect(refused).toMatchObject({ verdict: `${kind}_day`, resetsAt: midnight });
      await setDatabaseClock(books.database, midnight);
      const after = books.openLedger();
      const next = grantOf(await after.hold(callOf(payer, 500n)));
      expect(await after.hold(callOf(payer, 1n))).toMatchObject({ verdict: `${kind}_day` });
      await before.charge(chargeOf(hold, 500n));
      expect(await queryBudget(payer, kind)).toMatchObject({ start: nextDay, held: 500n });
      await after.charge(chargeOf(next, 500n));
      // Both, before the clock is right again: a lease that was left open would be past its hour.
      expect(await before.drain(60_000)).toBe(true);
      expect(await after.drain(60_000)).toBe(true);
    } finally {
      await setDatabaseClock(books.database, new Date());
    }
  });
});

test("keys of a project share its budget, and keys of other projects do not", async () => {
  const payer = await newPayer();
  const sibling = await siblingOf(payer);
  const otherKey = { ...payer, keyId: await books.newKey(payer.accountId) };
  const ledger = books.openLedger();
  await setBudget(payer, "project", 500n);
  grantOf(await ledger.hold(callOf(payer, 300n)));
  expect(await ledger.hold(callOf(sibling, 201n))).toMatchObject({ verdict: "project_day" });
  grantOf(await ledger.hold(callOf(sibling, 200n)));
  grantOf(await ledger.hold(callOf(otherKey, 5_000n)));
});

test("a member's budget counts the playground as well as their keys, and no one else's", async () => {
  const payer = await newPayer();
  const ledger = books.openLedger();
  await setBudget(payer, "member", 500n);
  const { accountId, personId } = payer;
  const playground = (person: PersonId, want: bigint) =>
    ledger.hold(holdOf({ accountId, keyId: null }, want, {}, { personId: person }));
  grantOf(await ledger.hold(callOf(payer, 300n)));
  expect(await playground(personId, 201n)).toMatchObject({ verdict: "member_day" });
  grantOf(await playground(personId, 200n));
  grantOf(await playground(newId<PersonId>(), 5_000n));
});

test("of several budgets the one that leaves the least refuses", async () => {
  const payer = await newPayer();
  const ledger = books.openLedger();
  await setBudget(payer, "account", 900n);
  await setBudget(payer, "project", 400n, { period: "month" });
  await setBudget(payer, "member", 600n);
  await setBudget(payer, "key", 700n, { period: "total" });
  expect(await ledger.hold(callOf(payer, 401n))).toMatchObject({ verdict: "project_month" });
  await setBudget(payer, "project", 800n, { period: "month" });
  expect(await ledger.hold(callOf(payer, 601n))).toMatchObject({ verdict: "member_day" });
  grantOf(await ledger.hold(callOf(payer, 600n)));
});

test("a key that moves to another project spends there from its next call on", async () => {
  const payer = await newPayer();
  const ledger = books.openLedger();
  await setBudget(payer, "project", 500n);
  const before = grantOf(await ledger.hold(callOf(payer, 400n)));
  await books.app.sql`update api_keys set project_id = null where id = ${payer.keyId}`;
  await ledger.recall(payer.keyId);
  const after = grantOf(await ledger.hold(callOf(payer, 400n)));
  await ledger.charge(chargeOf(before, 400n));
  await ledger.charge(chargeOf(after, 300n));
  expect(await ledger.drain(60_000)).toBe(true);
  expect(await queryBudget(payer, "project")).toMatchObject({ spent: 400n, held: 0n });
});

test("another time zone counts the budgets of the account again", async () => {
  const payer = await newPayer();
  const ledger = books.openLedger();
  for (const kind of budgetKinds) await setBudget(payer, kind, 5_000n);
  await ledger.charge(chargeOf(grantOf(await ledger.hold(callOf(payer, 400n))), 300n));
  for (const zone of ["Pacific/Kiritimati", "Pacific/Niue", "UTC"]) {
    await books.app.sql`update accounts set time_zone = ${zone} where id = ${payer.accountId}`;
    expect(await books.check()).toEqual([]);
  }
  for (const kind of budgetKinds) {
    const { spent, held } = await queryBudget(payer, kind);
    expect(spent + held).toBeGreaterThanOrEqual(300n);
  }
});

test.each([...budgetKinds])(
  "a refusal by the budget of the %s says what running calls hold of it, not what is spent",
  async (kind) => {
    const payer = await newPayer();
    await setBudget(payer, kind, 10_000n);
    const ledger = books.openLedger();
    await ledger.charge(chargeOf(grantOf(await ledger.hold(holdOf(payer, 9_000n))), 8_000n));
    const refused = await ledger.hold(holdOf(payer, 5_000n));
    expect(refused).toMatchObject({
      verdict: `${kind}_day`,
      availableNanos: 2_000n,
      elsewhereNanos: 0n,
    });
    const running = grantOf(await ledger.hold(holdOf(payer, 1_500n)));
    expect(await ledger.hold(holdOf(payer, 5_000n))).toMatchObject({ elsewhereNanos: 1_500n });
    await ledger.charge(chargeOf(running, 0n, { state: "released" }));
  },
);
