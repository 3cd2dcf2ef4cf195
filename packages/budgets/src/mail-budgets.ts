// Tells of budgets that are half spent, nearly spent and spent: each share once per period, by mail to those who
// manage budgets and to whom it binds, and by webhook, in one transaction.
import { accountPath, rolesWith } from "@turnpike/accounts";
import {
  accounts,
  apiKeys,
  budgetMoney,
  budgets,
  type Db,
  memberships,
  persons,
  queueWebhook,
} from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { formatUsd, type Nanos } from "@turnpike/terms";
import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { subjectName } from "./budget-subject.ts";

const shares = [100, 80, 50] as const;
type Share = (typeof shares)[number];

const batchMax = 200;
const recipientsMax = 20;

/** Returns how many budgets were told of. `publicUrl` is the base of the links in mails. */
export async function mailBudgets(db: Db, publicUrl: string): Promise<number> {
  const due = await findDue(db);
  let told = 0;
  for (const budget of due) {
    if (await db.transaction((tx) => tellOf(tx, budget, publicUrl))) told += 1;
  }
  return told;
}

/**
 * Of what is spent only: what running calls hold may come back. A hard budget rarely ends exactly at its limit:
 * it counts as reached when it refuses calls and most of it is spent.
 */
const spentPercent = sql<number>`case
  when ${budgets.limitNanos} = 0 then 0
  when ${budgets.hard} and 100 * ${budgetMoney.spentNanos} >= 80 * ${budgets.limitNanos}
    and (${budgets.reachedAt} at time zone ${accounts.timeZone})::date >= ${budgetMoney.periodStart} then 100
  else least(100, 100 * ${budgetMoney.spentNanos} / ${budgets.limitNanos}) end::int`;

const mailedPercent = sql<number>`case when ${budgets.mailedStart} = ${budgetMoney.periodStart}
  then ${budgets.mailedPercent} else 0 end`;

function findDue(db: Db) {
  return db
    .select({
      accountId: budgets.accountId,
      id: budgets.id,
      kind: budgets.kind,
      subjectId: budgets.subjectId,
      subjectName,
      period: budgets.period,
      hard: budgets.hard,
      limitNanos: budgets.limitNanos,
      spentNanos: budgetMoney.spentNanos,
      periodStart: budgetMoney.periodStart,
      resetsAt: budgetMoney.resetsAt,
      percent: spentPercent,
      mailed: mailedPercent,
      account: {
        kind: accounts.kind,
        slug: accounts.slug,
        name: accounts.name,
        timeZone: accounts.timeZone,
      },
    })
    .from(budgets)
    .innerJoin(accounts, and(eq(accounts.id, budgets.accountId), isNull(accounts.closedAt)))
    .innerJoin(
      budgetMoney,
      and(eq(budgetMoney.accountId, budgets.accountId), eq(budgetMoney.id, budgets.id)),
    )
    .where(
      and(
        // By the row alone: only for these is the view computed.
        sql`2 * (${budgets.spentNanos} + ${budgets.heldNanos}) >= ${budgets.limitNanos}`,
        sql`${spentPercent} >= 50`,
        sql`${mailedPercent} < case when ${spentPercent} >= 100 then 100
              when ${spentPercent} >= 80 then 80 else 50 end`,
        sql`${subjectName} is not null`,
      ),
    )
    .limit(batchMax);
}

type Due = Awaited<ReturnType<typeof findDue>>[number];

/** False if another instance told of it meanwhile. */
async function tellOf(tx: Db, budget: Due, publicUrl: string): Promise<boolean> {
  const share = shares.find((each) => budget.percent >= each);
  if (share === undefined) return false;
  const claimed = await tx
    .update(budgets)
    .set({ mailedPercent: share, mailedStart: budget.periodStart })
    .where(
      and(
        eq(budgets.accountId, budget.accountId),
        eq(budgets.id, budget.id),
        eq(budgets.limitNanos, budget.limitNanos),
        sql`(${budgets.mailedStart} <> ${budget.periodStart} or ${budgets.mailedPercent} < ${share})`,
      ),
    )
    .returning({ id: budgets.id });
  if (claimed.length === 0) return false;
  for (const email of await queryRecipients(tx, budget)) {
    await queueMail(tx, email, {
      kind: "budget_reached",
      percent: share,
      ...describeSubject(budget),
      period: budget.period,
      beyond: budget.hard ? "refused" : "answered",
      limitUsd: formatUsd(budget.limitNanos),
      spentUsd: formatUsd(budget.spentNanos),
      at: budget.resetsAt?.toISOString() ?? null,
      link: `${publicUrl}${accountPath(budget.account)}/usage`,
    });
  }
  await queueWebhook(tx, budget.accountId, {
    type: "budget.reached",
    data: eventOf(budget, share),
  });
  return true;
}

function describeSubject({ kind, subjectName: name, account }: Due): {
  readonly whose: string;
  readonly subjectName?: string;
} {
  const subjectName = name ?? "";
  switch (kind) {
    case "account":
      return account.kind === "organization"
        ? { whose: "", subjectName: account.name }
        : { whose: "your account" };
    case "project":
      return { whose: "the project", subjectName };
    case "member":
      return { whose: "", subjectName };
    case "key":
      return { whose: "the API key", subjectName };
  }
}

/** Those who manage budgets, and the member or the maker of the key it binds. */
async function queryRecipients(tx: Db, budget: Due): Promise<readonly string[]> {
  const maker = tx
    .select({ id: apiKeys.createdBy })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, budget.accountId), sql`${apiKeys.id} = ${budget.subjectId}`));
  const rows = await tx
    .select({ email: persons.email })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(
      and(
        eq(memberships.accountId, budget.accountId),
        or(
          inArray(memberships.role, [...rolesWith("budgets.change")]),
          budget.kind === "member" ? sql`${memberships.personId} = ${budget.subjectId}` : undefined,
          budget.kind === "key" ? inArray(memberships.personId, maker) : undefined,
        ),
      ),
    )
    .orderBy(memberships.createdAt)
    .limit(recipientsMax);
  return rows.map(({ email }) => email);
}

function eventOf(budget: Due, share: Share) {
  const { kind, subjectId, hard, period } = budget;
  const usd = (nanos: Nanos) => formatUsd(nanos);
  return {
    threshold_percent: share,
    budget: {
      id: budget.id,
      scope: kind,
      owner: kind === "account" ? null : { id: subjectId, name: budget.subjectName ?? "" },
      period,
      hard,
      limit_usd: usd(budget.limitNanos),
      spent_usd: usd(budget.spentNanos),
      resets_at: budget.resetsAt?.toISOString() ?? null,
    },
  };
}
