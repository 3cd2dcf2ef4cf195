// Prompts and answers of projects whose account switched that on. They are sealed under SEALING_KEY: the table alone reveals
// nothing but how much was said and when. How long a row is kept is decided by its project, at every read and every purge.
import type { AccountId, GenerationId, ProjectId } from "@turnpike/base";
import { foreignKey, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { bytes, idColumn, instant } from "./columns.ts";
import { projects } from "./projects.ts";

export const storedPrompts = pgTable(
  "stored_prompts",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    /** The id of the call's row in `requests`. */
    generationId: idColumn<GenerationId>("generation_id").notNull(),
    projectId: idColumn<ProjectId>("project_id").notNull(),
    /** When the call arrived. */
    createdAt: instant("created_at").notNull(),
    sealed: bytes("sealed").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.generationId] }),
    foreignKey({
      columns: [table.accountId, table.projectId],
      foreignColumns: [projects.accountId, projects.id],
    }).onDelete("cascade"),
    index("stored_prompts_age").on(table.accountId, table.projectId, table.createdAt),
  ],
);
