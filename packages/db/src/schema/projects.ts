// Projects group the keys of an account. The default project has the id of its account, so that a key
// without a project, and a call without a key, belong to it without being asked.
import type { AccountId, ProjectId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { idColumn, instant } from "./columns.ts";
import { accounts } from "./people.ts";

export const projects = pgTable(
  "projects",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    id: idColumn<ProjectId>("id").notNull(),
    name: text("name").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** No key works for it and none can be created in it. */
    archivedAt: instant("archived_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("projects_name").on(table.accountId, sql`lower(${table.name})`),
  ],
);
