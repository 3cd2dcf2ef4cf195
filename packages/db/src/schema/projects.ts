// Projects group the keys of an account. The default project has the id of its account, so that a key
// without a project, and a call without a key, belong to it without being asked.
import type { AccountId, ProjectId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
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
    requestsPerMinute: integer("requests_per_minute"),
    tokensPerMinute: integer("tokens_per_minute"),
    concurrency: integer("concurrency"),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** No key works for it and none can be created in it. */
    archivedAt: instant("archived_at"),
    /** How long prompts and answers are stored; null: they are not. */
    promptDays: smallint("prompt_days"),
    /** Whether secrets, addresses and numbers of people are replaced before anything is stored. */
    redactsPrompts: boolean("redacts_prompts").notNull().default(true),
    /** What was stored before that is shown to nobody, and deleted in slices. */
    promptsVoidBefore: instant("prompts_void_before"),
    /** How long responses are stored that do not refuse it; null: only those that ask for it are. */
    responseHours: smallint("response_hours"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("projects_name").on(table.accountId, sql`lower(${table.name})`),
    check("projects_prompt_days", sql`${table.promptDays} between 1 and 90`),
    check("projects_response_hours", sql`${table.responseHours} between 1 and 720`),
    index("projects_with_prompts")
      .on(table.accountId, table.id)
      .where(sql`${table.promptDays} is not null or ${table.promptsVoidBefore} is not null`),
  ],
);
