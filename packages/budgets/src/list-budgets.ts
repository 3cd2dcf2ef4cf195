// The budgets of an account with what is spent and held of each in its current period.
import type { AccountId, BudgetId, PersonId, ProjectId } from "@turnpike/base";
import { accounts, budgetMoney, budgets, type Db } from "@turnpike/db";
import type { BudgetKind, BudgetPeriod, Nanos } from "@turnpike/terms";
import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import { subjectName } from "./budget-subject.ts";

export type Budget = {
  readonly id: BudgetId;
  readonly kind: BudgetKind;
  readonly subjectId: string;
  /** Empty for an account without a name, and for a subject that is gone. */
  readonly subjectName: string;
  readonly period: BudgetPeriod;
  readonly limitNanos: Nanos;
  readonly hard: boolean;
  readonly spentNanos: Nanos;
  readonly heldNanos: Nanos;
  /** Null in total. */
  readonly resetsAt: Date | null;
};

/** What a member may see: `ownerOfKeys` only what binds their keys, `projectIds` only these projects. */
export type BudgetScope = {
  readonly accountId: AccountId;
  readonly ownerOfKeys?: PersonId | undefined;
  readonly projectIds?: readonly ProjectId[] | undefined;
};

/** Where the periods of the account's budgets begin: an IANA name. */
export async function queryTimeZone(db: Db, accountId: AccountId): Promise<string> {
  const [account] = await db
    .select({ timeZone: accounts.timeZone })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return account?.timeZone ?? "UTC";
}

/** The account's first, then projects, members and keys, each by name. */
export async function listBudgets(
  db: Db,
  scope: BudgetScope,
): Promise<{ readonly timeZone: string; readonly budgets: readonly Budget[] }> {
  const timeZone = await queryTimeZone(db, scope.accountId);
  const rows = await db
    .select({
      id: budgets.id,
      kind: budgets.kind,
      subjectId: budgets.subjectId,
      subjectName,
      period: budgets.period,
      limitNanos: budgets.limitNanos,
      hard: budgets.hard,
      spentNanos: budgetMoney.spentNanos,
      heldNanos: budgetMoney.heldNanos,
      resetsAt: budgetMoney.resetsAt,
    })
    .from(budgets)
    .innerJoin(
      budgetMoney,
      and(eq(budgetMoney.accountId, budgets.accountId), eq(budgetMoney.id, budgets.id)),
    )
    .where(
      and(eq(budgets.accountId, scope.accountId), sql`${subjectName} is not null`, visible(scope)),
    )
    .orderBy(
      sql`array_position(array['account', 'project', 'member', 'key'], ${budgets.kind})`,
      sql`lower(${subjectName})`,
      asc(budgets.subjectId),
      sql`array_position(array['day', 'week', 'month', 'total'], ${budgets.period})`,
    );
  return {
    timeZone,
    budgets: rows.map((row) => ({ ...row, subjectName: row.subjectName ?? "" })),
  };
}

function visible({ accountId, ownerOfKeys, projectIds }: BudgetScope): SQL | undefined {
  const projectOfKey = sql`coalesce(k.project_id, k.account_id)`;
  const ownKey = sql`exists (select from api_keys k where k.account_id = ${accountId}
    and k.id = ${budgets.subjectId}
    and ${ownerOfKeys === undefined ? sql`true` : sql`k.created_by = ${ownerOfKeys}`}
    and ${projectIds === undefined ? sql`true` : sql`${projectOfKey} in ${[...projectIds, ...none]}`})`;
  if (ownerOfKeys === undefined && projectIds === undefined) return undefined;
  return or(
    eq(budgets.kind, "account"),
    and(
      eq(budgets.kind, "project"),
      projectIds === undefined
        ? undefined
        : sql`${budgets.subjectId} in ${[...projectIds, ...none]}`,
    ),
    and(
      eq(budgets.kind, "member"),
      ownerOfKeys === undefined ? undefined : sql`${budgets.subjectId} = ${ownerOfKeys}`,
    ),
    and(eq(budgets.kind, "key"), ownKey),
  );
}

/** An empty list is no valid SQL. */
const none = ["00000000-0000-0000-0000-000000000000"] as const;
