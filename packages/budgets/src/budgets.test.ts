// Budgets as members set and read them, and what they are told of: each share once per period, in whole.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  type AccountId,
  type ApiKeyId,
  Fault,
  type GenerationId,
  type InstanceId,
  newId,
  type PersonId,
  type PriceId,
  type ProjectId,
} from "@turnpike/base";
import { type Connection, connectDatabase, operator } from "@turnpike/db";
import { createProject, mintApiKey, updateApiKey } from "@turnpike/keys";
import {
  checkBooks,
  createCallFacts,
  type Ledger,
  openLedger,
  postMovement,
} from "@turnpike/ledger";
import { createMetrics } from "@turnpike/telemetry";
import { type Nanos, toNanos } from "@turnpike/terms";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { listBudgets, mailBudgets, removeBudget, setBudget, setTimeZone } from "./index.ts";

const usd = 1_000_000_000n;
const metrics = createMetrics();
const silent = { child: () => silent, isLevelEnabled: () => false } as never;
let database: TestDatabase;
let owner: Connection;
let app: Connection;
let ledger: Ledger;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  app = connectDatabase({ url: database.url, max: 4 });
  const instanceId = newId<InstanceId>();
  await owner.sql`insert into instances (id) values (${instanceId})`;
  ledger = openLedger({
    url: database.url,
    instanceId,
    log: silent,
    metrics,
    admitting: () => true,
  });
});
afterAll(async () => {
  await ledger.close();
  await Promise.all([owner.close(), app.close()]);
  metrics.close();
  await database.drop();
});
afterEach(async () => expect(await checkBooks(app.db)).toEqual([]));

type Team = {
  readonly accountId: AccountId;
  readonly by: { readonly accountId: AccountId; readonly by: typeof operator };
  readonly boss: PersonId;
  readonly developer: PersonId;
  readonly projectId: ProjectId;
  readonly keyId: ApiKeyId;
};

/** An organization with $100, an owner, and a developer with a key in a project. */
async function newTeam(): Promise<Team> {
  const accountId = newId<AccountId>();
  const [boss, developer] = [newId<PersonId>(), newId<PersonId>()];
  await app.sql`insert into accounts (id, name, kind) values (${accountId}, 'Acme', 'organization')`;
  for (const [id, role] of [
    [boss, "owner"],
    [developer, "developer"],
  ] as const) {
    await app.sql`insert into persons (id, email) values (${id}, ${`${role}-${id}@example.com`})`;
    await app.sql`insert into memberships (account_id, person_id, role) values (${accountId}, ${id}, ${role})`;
  }
  await postMovement(owner.db, {
    accountId,
    amountNanos: toNanos(100n * usd),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: crypto.randomUUID(),
    reason: "test",
    actor: "test",
  });
  const by = { accountId, by: operator };
  const projectId = await createProject(app.db, by, { name: "Research" });
  const minted = await mintApiKey(app.db, {
    accountId,
    createdBy: developer,
    name: "laptop",
    projectId,
  });
  return { accountId, by, boss, developer, projectId, keyId: minted.id };
}

async function ask({ accountId, keyId }: Team, nanos: bigint) {
  return ledger.hold({
    facts: createCallFacts({
      id: newId<GenerationId>(),
      accountId,
      keyId,
      model: "model",
      provider: "provider",
      priceId: newId<PriceId>(),
      status: 200,
      outcome: "completed",
      usageSource: "upstream",
    }),
    wantNanos: toNanos(nanos),
    floorNanos: toNanos(nanos),
    atMostHalf: false,
    allOrNothing: false,
  });
}

async function spend(team: Team, nanos: bigint): Promise<void> {
  const decision = await ask(team, nanos);
  if (decision.verdict !== "held") throw new Error(`refused: ${decision.verdict}`);
  await ledger.charge({ hold: decision.hold, state: "settled", costNanos: toNanos(nanos) });
}

const budgetOf = (
  team: Team,
  limit: bigint,
  changes: Partial<Parameters<typeof setBudget>[2]> = {},
) =>
  setBudget(app.db, team.by, {
    kind: "project",
    subjectId: team.projectId,
    period: "month",
    limitNanos: toNanos(limit),
    hard: true,
    ...changes,
  });

async function faultOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return "no fault";
}

async function mailsOf({ accountId }: Team) {
  const rows = await owner.sql<{ recipient: string; percent: number }[]>`
    select o.recipient, (o.message ->> 'percent')::int as percent from outbox o
      join persons p on p.email = o.recipient
      join memberships m on m.person_id = p.id and m.account_id = ${accountId}
     where o.message ->> 'kind' = 'budget_reached' order by o.id`;
  return rows.map(({ recipient, percent }) => `${recipient.split("-")[0]} ${percent}`);
}

test("a budget is listed with what its subject has spent, and setting it again changes it", async () => {
  const team = await newTeam();
  const id = await budgetOf(team, 10n * usd);
  await spend(team, 3n * usd);
  const read = async () => (await listBudgets(app.db, team)).budgets;
  expect(await read()).toMatchObject([
    {
      id,
      kind: "project",
      subjectName: "Research",
      period: "month",
      limitNanos: 10n * usd,
      spentNanos: 3n * usd,
      hard: true,
    },
  ]);
  expect(await budgetOf(team, 20n * usd, { hard: false })).toBe(id);
  expect(await read()).toMatchObject([{ id, limitNanos: 20n * usd, hard: false }]);
  await removeBudget(app.db, team.by, id);
  expect(await read()).toEqual([]);
  expect(await faultOf(removeBudget(app.db, team.by, id))).toBe("not_found");
});

test("a limit of a key and its budget are one", async () => {
  const team = await newTeam();
  const key = { kind: "key", subjectId: team.keyId, period: "day" } as const;
  const id = await budgetOf(team, 2n * usd, key);
  const limitOf = async () => {
    const [row] =
      await app.sql`select day_limit_nanos from key_limits where key_id = ${team.keyId}`;
    return row?.day_limit_nanos;
  };
  expect(await limitOf()).toBe(`${2n * usd}`);
  expect(await ask(team, 3n * usd)).toMatchObject({ verdict: "key_day" });
  await removeBudget(app.db, team.by, id);
  expect(await limitOf()).toBeNull();
  expect((await ask(team, 3n * usd)).verdict).toBe("held");
});

test("other limits of a key change without its budgets that stay", async () => {
  const team = await newTeam();
  const key = { kind: "key", subjectId: team.keyId, period: "day" } as const;
  const id = await budgetOf(team, 2n * usd, { ...key, hard: false });
  await owner.sql`update budgets set mailed_percent = 80 where id = ${id}`;
  const [day, week] = [toNanos(2n * usd), toNanos(9n * usd)];
  const { accountId, keyId } = team;
  const update = (spendLimitNanos: { day?: Nanos; week?: Nanos }) =>
    updateApiKey(app.db, { accountId, id: keyId }, { limits: { spendLimitNanos } });
  const read = async () => [
    ...(await owner.sql`
      select period, hard, mailed_percent as mailed from budgets
       where subject_id = ${keyId} order by period`),
  ];
  await update({ day, week });
  const added = { period: "week", hard: true, mailed: 0 };
  expect(await read()).toEqual([{ period: "day", hard: false, mailed: 80 }, added]);
  // Another limit has other shares.
  await update({ day: week, week });
  expect(await read()).toEqual([{ period: "day", hard: false, mailed: 0 }, added]);
  await update({ week });
  expect(await read()).toEqual([added]);
});

test("nobody sets a budget for what is not of the account, nor in a time zone that does not exist", async () => {
  const [team, other] = [await newTeam(), await newTeam()];
  for (const [kind, subjectId] of [
    ["account", other.accountId],
    ["project", other.projectId],
    ["member", other.developer],
    ["key", other.keyId],
  ] as const) {
    expect(await faultOf(budgetOf(team, usd, { kind, subjectId }))).toBe("not_found");
  }
  expect(await faultOf(setTimeZone(app.db, team.by, "Mars/Olympus"))).toBe("invalid_value");
  await setTimeZone(app.db, team.by, "Europe/Vienna");
  expect((await listBudgets(app.db, team)).timeZone).toBe("Europe/Vienna");
});

test("a developer sees the budgets that bind them", async () => {
  const team = await newTeam();
  await budgetOf(team, usd, { kind: "account", subjectId: team.accountId });
  await budgetOf(team, usd);
  await budgetOf(team, usd, { kind: "member", subjectId: team.boss });
  await budgetOf(team, usd, { kind: "member", subjectId: team.developer });
  await budgetOf(team, usd, { kind: "key", subjectId: team.keyId });
  const seen = async (ownerOfKeys: PersonId) =>
    (await listBudgets(app.db, { ...team, ownerOfKeys })).budgets.map(({ kind }) => kind);
  expect(await seen(team.developer)).toEqual(["account", "project", "member", "key"]);
  expect(await seen(team.boss)).toEqual(["account", "project", "member"]);
  expect((await listBudgets(app.db, team)).budgets).toHaveLength(5);
});

test("50, 80 and 100 % are told of once each, to those who manage budgets and to whom it binds", async () => {
  const team = await newTeam();
  await budgetOf(team, 10n * usd, { kind: "member", subjectId: team.developer });
  const tell = async () => {
    await Promise.all([
      mailBudgets(app.db, "https://t.example"),
      mailBudgets(app.db, "https://t.example"),
    ]);
    return mailsOf(team);
  };
  await spend(team, 4n * usd);
  expect(await tell()).toEqual([]);
  await spend(team, 1n * usd);
  expect(await tell()).toEqual(["owner 50", "developer 50"]);
  expect(await tell()).toHaveLength(2);
  await spend(team, 4n * usd);
  expect((await tell()).slice(2)).toEqual(["owner 80", "developer 80"]);
  await spend(team, 1n * usd);
  expect((await tell()).slice(4)).toEqual(["owner 100", "developer 100"]);
  expect(await tell()).toHaveLength(6);
});

test("a hard budget that refuses calls when most of it is spent is told of as reached", async () => {
  const team = await newTeam();
  await budgetOf(team, 10n * usd);
  await spend(team, 9n * usd);
  await ledger.recall(team.accountId);
  expect(await ask(team, 2n * usd)).toMatchObject({ verdict: "project_month" });
  await mailBudgets(app.db, "https://t.example");
  expect(await mailsOf(team)).toEqual(["owner 100"]);
});
