// What was done in an account, by whom, written in the transaction that did it. Append-only by role and by
// trigger: nobody who can act in an account can hide what they did.
import type { AccountId } from "@turnpike/base";
import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { idColumn, instant } from "./columns.ts";
import { accounts } from "./people.ts";

export const auditLog = pgTable(
  "audit_log",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    at: instant("at").notNull().defaultNow(),
    actorKind: text("actor_kind")
      .$type<"person" | "management_key" | "system" | "operator">()
      .notNull(),
    /** The id of a person or a management key; null for others. */
    actorId: uuid("actor_id"),
    /** As it was then: the email address of a person, the name of a key, the name an operator gave. */
    actorName: text("actor_name").notNull(),
    /** E.g. `member.remove`. */
    action: text("action").notNull(),
    /** What it was done to, e.g. the id of a key; null where that is the account. */
    objectId: text("object_id"),
    /** As it was then. */
    objectName: text("object_name").notNull().default(""),
    /** By field, before and after. */
    changes: jsonb("changes").$type<AuditChanges>(),
    /** The client's address. */
    address: text("address").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("audit_log_action").on(table.accountId, table.action, table.id),
  ],
);

export type AuditChanges = Readonly<
  Record<string, readonly [before: string | null, after: string | null]>
>;
