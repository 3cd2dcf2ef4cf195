// Money one instance has reserved in advance for one payer and one hour. While a lease is open its
// grant counts as held; closing it posts one ledger transaction for what its calls cost.
import type {
  AccountId,
  ApiKeyId,
  InstanceId,
  LeaseId,
  LedgerTransactionId,
  PersonId,
  ProjectId,
} from "@turnpike/base";
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { idColumn, instant, nanosColumn } from "./columns.ts";
import { accounts } from "./people.ts";

const amount = (name: string) => nanosColumn(name).notNull().default(sql`0`);

export const leases = pgTable(
  "leases",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: idColumn<LeaseId>("id").notNull(),
    /** Null for an account that pays without a key (the playground). */
    keyId: idColumn<ApiKeyId>("key_id"),
    /** The key's project when it was opened; null is the default project. */
    projectId: idColumn<ProjectId>("project_id"),
    /** Who made the key, or uses the playground. Null if no one is known. */
    personId: idColumn<PersonId>("person_id"),
    instanceId: idColumn<InstanceId>("instance_id").notNull(),
    /** Start of the hour, by the clock of the account's time zone, that its calls belong to. */
    hour: instant("hour").notNull(),
    grantedNanos: amount("granted_nanos"),
    spentNanos: amount("spent_nanos"),
    shortfallNanos: amount("shortfall_nanos"),
    calls: integer("calls").notNull().default(0),
    openedAt: instant("opened_at").notNull().defaultNow(),
    closedAt: instant("closed_at"),
    /** Null while it is open, and if its calls cost nothing. */
    transactionId: idColumn<LedgerTransactionId>("transaction_id"),
    /** When the checker compared it with its requests and its entries; it is not read again. */
    checkedAt: instant("checked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("leases_id").on(table.id),
    index("leases_account_hour").on(table.accountId, table.hour),
    index("leases_open").on(table.accountId).where(sql`${table.closedAt} is null`),
    index("leases_open_instance").on(table.instanceId).where(sql`${table.closedAt} is null`),
    index("leases_unchecked")
      .on(table.closedAt)
      .where(sql`${table.closedAt} is not null and ${table.checkedAt} is null`),
    check(
      "leases_spent_within_grant",
      sql`${table.spentNanos} >= 0 and ${table.spentNanos} <= ${table.grantedNanos}`,
    ),
    check("leases_counts", sql`${table.shortfallNanos} >= 0 and ${table.calls} >= 0`),
  ],
);
