// The history of an API key, change by change. A trigger writes it, the server's role may only
// read: no change of a key can bypass it. No secret is ever in it.
import type { AccountId, ApiKeyId } from "@turnpike/base";
import { bigint, foreignKey, index, jsonb, pgTable } from "drizzle-orm/pg-core";
import { apiKeys } from "./api-keys.ts";
import { idColumn, instant } from "./columns.ts";

/** By what was changed, before and after as text; `secret` has neither. */
export type KeyChangeColumns = Readonly<
  Record<string, readonly [before: string | null, after: string | null]>
>;

export const keyChanges = pgTable(
  "key_changes",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: idColumn<AccountId>("account_id").notNull(),
    keyId: idColumn<ApiKeyId>("key_id").notNull(),
    at: instant("at").notNull().defaultNow(),
    changes: jsonb("changes").$type<KeyChangeColumns>().notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.accountId, table.keyId],
      foreignColumns: [apiKeys.accountId, apiKeys.id],
    }),
    index("key_changes_key").on(table.keyId, table.id),
  ],
);
