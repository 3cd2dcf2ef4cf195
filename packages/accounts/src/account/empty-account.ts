// What is kept of an account that is closed: its books, without any name.

import type { AccountId } from "@turnpike/base";
import {
  accounts,
  apiKeys,
  auditRetentionDaysMin,
  autoTopUps,
  batches,
  type Db,
  domains,
  forgetCard,
  invitations,
  managementKeys,
  memberships,
  objects,
  projects,
  runs,
  sharedConversations,
  webhookEndpoints,
  webhookEvents,
} from "@turnpike/db";
import { eq, sql } from "drizzle-orm";

/** What stays of a closed account, and why; everything else with an `account_id` is deleted. */
export const keptOfAccounts: Readonly<Record<string, string>> = {
  account_slugs: "its addresses are never given to another account, so that no link leads there",
  api_keys: "requests and leases refer to them; revoked and without a name",
  audit_log: "deleted after 90 days, so that nobody hides what they did by closing the account",
  auto_top_ups: "deleted within minutes, once Stripe has forgotten the saved card",
  book_checks: "part of the books: up to where they were checked",
  budgets: "amounts that leases refer to; they name nobody",
  entries: "the books: what was paid, spent and refunded",
  invitations: "that someone was invited, without an address",
  key_changes: "deleted by the job that deletes old audit logs",
  leases: "part of the books: what was reserved and spent",
  management_keys: "the audit log refers to them; revoked and without a name",
  objects: "shown to nobody any more, and deleted within minutes with their bytes",
  projects: "keys and requests refer to them; without a name",
  requests: "part of the books: what each cost",
  stored_answers: "deleted within a day, as always; nobody can open them without the key",
  stored_prompts: "shown to nobody any more, and deleted within minutes",
  top_ups: "part of the books: payments, as accounting and disputes need them",
  usage_blocks: "the same as usage_quarter_hours, added up further",
  usage_changes: "deleted within minutes: which hours of usage are added up again",
  usage_quarter_hours: "part of the books: sums of requests; they name nobody",
  webhook_attempts: "deleted with its endpoints",
  webhook_messages: "deleted with its endpoints",
};

/** Call it in the transaction that closes the account, with its lock. */
export async function emptyAccount(tx: Db, id: AccountId): Promise<void> {
  for (const table of [
    memberships,
    domains,
    webhookEndpoints,
    webhookEvents,
    sharedConversations,
    batches,
    runs,
  ]) {
    await tx.delete(table).where(eq(table.accountId, id));
  }
  if (!(await forgetCard(tx, id))) await tx.delete(autoTopUps).where(eq(autoTopUps.accountId, id));
  const now = sql`now()`;
  await tx
    .update(invitations)
    .set({ email: "", revokedAt: sql`coalesce(${invitations.revokedAt}, ${now})` })
    .where(eq(invitations.accountId, id));
  await tx
    .update(managementKeys)
    .set({ name: "deleted", revokedAt: sql`coalesce(${managementKeys.revokedAt}, ${now})` })
    .where(eq(managementKeys.accountId, id));
  await tx.update(apiKeys).set({ name: "deleted" }).where(eq(apiKeys.accountId, id));
  await tx.update(objects).set({ expiresAt: now }).where(eq(objects.accountId, id));
  // The names of an account's projects differ.
  await tx
    .update(projects)
    .set({
      name: sql`'deleted ' || ${projects.id}`,
      promptDays: null,
      promptsVoidBefore: now,
      responseHours: null,
    })
    .where(eq(projects.accountId, id));
  await tx
    .update(accounts)
    .set({ closedAt: now, name: "", company: null, auditRetentionDays: auditRetentionDaysMin })
    .where(eq(accounts.id, id));
}
