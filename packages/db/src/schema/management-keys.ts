// Keys of the management API: only the SHA-256 of the secret is stored. A key acts for the person who created
// it, with the permissions listed here and never more than that person's role has at that moment.
import type { AccountId, ManagementKeyId, PersonId } from "@turnpike/base";
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, idColumn, instant } from "./columns.ts";
import { accounts, persons } from "./people.ts";

export const managementKeys = pgTable(
  "management_keys",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: idColumn<ManagementKeyId>("id").notNull(),
    name: text("name").notNull(),
    hash: bytes("hash").notNull(),
    /** `sk-tpm-9f2a…c41d`. */
    masked: text("masked").notNull(),
    /** Of those in `auth`; one that no longer exists grants nothing. */
    permissions: text("permissions").array().notNull(),
    createdBy: idColumn<PersonId>("created_by")
      .notNull()
      .references(() => persons.id),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("management_keys_id").on(table.id),
    uniqueIndex("management_keys_hash").on(table.hash),
    index("management_keys_created_by").on(table.createdBy),
  ],
);
