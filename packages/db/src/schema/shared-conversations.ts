// Conversations of the playground that a member saved for the others of the account. Their titles and texts are sealed under
// SEALING_KEY: the table alone reveals nothing but who shared how much and when.
import type { AccountId, PersonId, SharedConversationId } from "@turnpike/base";
import { pgTable, primaryKey } from "drizzle-orm/pg-core";
import { bytes, idColumn, instant } from "./columns.ts";
import { accounts, persons } from "./people.ts";

export const sharedConversations = pgTable(
  "shared_conversations",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: idColumn<SharedConversationId>("id").notNull(),
    /** Who shared it; deleted with them. */
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    createdAt: instant("created_at").notNull().defaultNow(),
    sealedTitle: bytes("sealed_title").notNull(),
    sealed: bytes("sealed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);
