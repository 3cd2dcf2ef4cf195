// Whose budget it is, by name: the account itself, or a project, a member or a key of it.
import { accounts, budgets } from "@turnpike/db";
import type { BudgetKind } from "@turnpike/terms";
import { sql } from "drizzle-orm";

/** A column of a query of `budgets`: null if the subject is not, or no longer, of the account. */
export const subjectName = nameOf(
  sql`${budgets.accountId}`,
  sql`${budgets.kind}`,
  sql`${budgets.subjectId}`,
);

/** The same for a subject that may have no budget yet. */
export function nameOf(
  accountId: ReturnType<typeof sql>,
  kind: ReturnType<typeof sql> | BudgetKind,
  subjectId: ReturnType<typeof sql> | string,
) {
  return sql<string | null>`case ${kind}
    when 'account' then (select x.name from ${accounts} x where x.id = ${accountId} and x.id = ${subjectId})
    when 'project' then (select x.name from projects x
      where x.account_id = ${accountId} and x.id = ${subjectId})
    when 'member' then (select p.email from memberships x join persons p on p.id = x.person_id
      where x.account_id = ${accountId} and x.person_id = ${subjectId})
    when 'key' then (select x.name from api_keys x
      where x.account_id = ${accountId} and x.id = ${subjectId} and x.revoked_at is null) end`;
}
