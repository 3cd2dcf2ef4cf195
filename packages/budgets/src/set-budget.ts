// Sets, changes and removes budgets under the account's lock, where acquisitions decide them, and those of a key, which are its
// spend limits, under the key's as well.
import { type AccountId, type BudgetId, Fault, findTimeZone } from "@turnpike/base";
import { type AuditActor, accounts, apiKeys, budgets, type Db, recordAudit } from "@turnpike/db";
import { type BudgetInput, touchKeys, writeBudget } from "@turnpike/keys";
import { formatUsd } from "@turnpike/terms";
import { and, count, eq, sql } from "drizzle-orm";
import { nameOf, subjectName } from "./budget-subject.ts";

export const budgetsMax = 1_000;

type Editor = { readonly accountId: AccountId; readonly by: AuditActor };

/**
 * One per subject and period: another one replaces it. Notify instances with `notifyKeyChange` of the account after
 * it, so that idle leases return what a lower limit no longer covers. Throws `invalid_value`, `not_found`, and
 * `conflict` beyond 1,000 budgets.
 */
export async function setBudget(
  db: Db,
  { accountId, by }: Editor,
  input: Required<BudgetInput>,
): Promise<BudgetId> {
  if (input.limitNanos < 0n) {
    throw new Fault("invalid_value", "A limit must not be negative.", { param: "limitUsd" });
  }
  return db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const name = await querySubjectName(tx, accountId, input);
    const before = await findBudget(tx, accountId, input);
    if (before === undefined) await assertRoom(tx, accountId);
    await lockKey(tx, accountId, input);
    const id = await writeBudget(tx, accountId, input);
    await recordAudit(tx, {
      accountId,
      by,
      action: "budget.set",
      object: { id, name: describe(input, name) },
      changes: {
        limitUsd: [
          before === undefined ? null : formatUsd(before.limitNanos),
          formatUsd(input.limitNanos),
        ],
        effect: [before === undefined ? null : effectOf(before), effectOf(input)],
      },
    });
    return id;
  });
}

/** Throws `not_found`. */
export async function removeBudget(db: Db, { accountId, by }: Editor, id: BudgetId): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const [found] = await tx
      .select({
        kind: budgets.kind,
        subjectId: budgets.subjectId,
        period: budgets.period,
        limitNanos: budgets.limitNanos,
        hard: budgets.hard,
        name: subjectName,
      })
      .from(budgets)
      .where(and(eq(budgets.accountId, accountId), eq(budgets.id, id)));
    if (found === undefined) throw new Fault("not_found", "There is no such budget.");
    await lockKey(tx, accountId, found);
    await tx.delete(budgets).where(and(eq(budgets.accountId, accountId), eq(budgets.id, id)));
    await recordAudit(tx, {
      accountId,
      by,
      action: "budget.remove",
      object: { id, name: describe(found, found.name ?? found.subjectId) },
      changes: { limitUsd: [formatUsd(found.limitNanos), null], effect: [effectOf(found), null] },
    });
  });
}

/** Days, weeks and months of budgets begin at its midnight. Throws `invalid_value`. */
export async function setTimeZone(db: Db, { accountId, by }: Editor, name: string): Promise<void> {
  const timeZone = findTimeZone(name);
  if (timeZone === undefined) {
    throw new Fault("invalid_value", `"${name}" is not a time zone.`, { param: "timeZone" });
  }
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ timeZone: accounts.timeZone })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for("no key update");
    if (before === undefined) throw new Fault("not_found", "There is no such account.");
    await tx.update(accounts).set({ timeZone }).where(eq(accounts.id, accountId));
    const changes = { timeZone: [before.timeZone, timeZone] } as const;
    await recordAudit(tx, { accountId, by, action: "account.set_time_zone", changes });
  });
}

/** Before its budget, as acquisitions do, and so that the key shows when it changed. */
async function lockKey(
  tx: Db,
  accountId: AccountId,
  { kind, subjectId }: Pick<BudgetInput, "kind" | "subjectId">,
): Promise<void> {
  if (kind === "key") await touchKeys(tx, accountId, sql`${apiKeys.id} = ${subjectId}`);
}

async function querySubjectName(
  tx: Db,
  accountId: AccountId,
  { kind, subjectId }: BudgetInput,
): Promise<string> {
  const [found] = await tx.execute<{ name: string | null }>(
    sql`select ${nameOf(sql`${accountId}::uuid`, sql`${kind}::text`, sql`${subjectId}::uuid`)} as name`,
  );
  if (found?.name !== null && found?.name !== undefined) return found.name;
  throw new Fault("not_found", `There is no such ${kind}.`, { param: "subjectId" });
}

async function findBudget(tx: Db, accountId: AccountId, input: BudgetInput) {
  const [found] = await tx
    .select({ limitNanos: budgets.limitNanos, hard: budgets.hard })
    .from(budgets)
    .where(budgetOf(accountId, input));
  return found;
}

async function assertRoom(tx: Db, accountId: AccountId): Promise<void> {
  const [found] = await tx
    .select({ total: count(budgets.id) })
    .from(budgets)
    .where(eq(budgets.accountId, accountId));
  if ((found?.total ?? 0) < budgetsMax) return;
  throw new Fault("conflict", `An account has at most ${budgetsMax} budgets.`);
}

function budgetOf(accountId: AccountId, { kind, subjectId, period }: BudgetInput) {
  return and(
    eq(budgets.accountId, accountId),
    eq(budgets.kind, kind),
    eq(budgets.subjectId, subjectId),
    eq(budgets.period, period),
  );
}

function effectOf({ hard }: Required<Pick<BudgetInput, "hard">>): string {
  return hard ? "refuses" : "tells";
}

function describe({ kind, period }: Pick<BudgetInput, "kind" | "period">, name: string): string {
  const every = period === "total" ? "in total" : `per ${period}`;
  return kind === "account" ? `account ${every}` : `${kind} ${name} ${every}`;
}

async function lockAccount(tx: Db, accountId: AccountId): Promise<void> {
  await tx.execute(sql`select 1 from accounts where id = ${accountId} for no key update`);
}
