// Answers kept for a while, so that the same call can be answered again without being charged again, and items
// of answers that later calls refer to. What a model said is encrypted with the caller's own API key, which is
// not stored: the table alone reveals nothing.
import type { AccountId, GenerationId, InstanceId } from "@turnpike/base";
import { index, pgTable } from "drizzle-orm/pg-core";
import { bytes, idColumn, instant } from "./columns.ts";
import { accounts } from "./people.ts";

export const storedAnswers = pgTable(
  "stored_answers",
  {
    /** A hash of the caller's key and of what names the answer to it; its length says what the row is for. */
    id: bytes("id").primaryKey(),
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** A hash of the request, or of the item: the same name for something else is an error. */
    requestHash: bytes("request_hash").notNull(),
    generationId: idColumn<GenerationId>("generation_id").notNull(),
    /** The process that runs the call. */
    instanceId: idColumn<InstanceId>("instance_id").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    /** Null while the call runs. */
    finishedAt: instant("finished_at"),
    /** Null while the call runs, for an answer too large to be kept, and for an ambiguous item. */
    sealed: bytes("sealed"),
  },
  (table) => [
    index("stored_answers_expiry").on(table.expiresAt),
    index("stored_answers_account").on(table.accountId),
  ],
);
