// What happened to a person's sign-in: sessions, passwords, addresses. They see it, and nobody can change it: it is
// append-only by role and by trigger until it is 400 days old.
import type { PersonId } from "@turnpike/base";
import { bigint, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { idColumn, instant } from "./columns.ts";
import { persons } from "./people.ts";

export const personEventKinds = [
  "sign_in",
  "sign_out",
  "session_end",
  "sessions_end",
  "password_change",
  "password_reset",
  "email_change",
  "change_undone",
  "identity_link",
  "identity_unlink",
  "export",
  "deletion_request",
  "deletion_cancel",
] as const;
export type PersonEventKind = (typeof personEventKinds)[number];

export const personEvents = pgTable(
  "person_events",
  {
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    id: bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    at: instant("at").notNull().defaultNow(),
    kind: text("kind").$type<PersonEventKind>().notNull(),
    /** Of the client that did it. */
    address: text("address").notNull().default(""),
    userAgent: text("user_agent").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.id] }),
    index("person_events_at").on(table.at),
  ],
);
