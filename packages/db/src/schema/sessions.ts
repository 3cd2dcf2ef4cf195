// What authenticates a person: sessions and mailed tokens, of which only hashes are stored, and the
// counters that slow down guessing.
import type { PersonId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, idColumn, instant } from "./columns.ts";
import { persons } from "./people.ts";

export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the token in the cookie: a stolen row is useless. */
    hash: bytes("hash").primaryKey(),
    /** The console's identifier of the session; not a secret. */
    publicId: text("public_id").notNull().unique(),
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    createdAt: instant("created_at").notNull().defaultNow(),
    lastSeenAt: instant("last_seen_at").notNull().defaultNow(),
    /** Moves with use, up to the absolute lifetime. */
    expiresAt: instant("expires_at").notNull(),
    /** When the password was last given in this session, for step-up. */
    passwordAt: instant("password_at").notNull().defaultNow(),
    address: text("address").notNull().default(""),
    userAgent: text("user_agent").notNull().default(""),
    /** The provider that vouched for the person; null if they gave a password. */
    provider: text("provider"),
  },
  (table) => [index("sessions_person").on(table.personId)],
);

export const emailTokens = pgTable(
  "email_tokens",
  {
    hash: bytes("hash").primaryKey(),
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    purpose: text("purpose").$type<"verify" | "reset" | "change" | "unlock" | "undo">().notNull(),
    /** The address the token proves. */
    email: text("email").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    /** Kept instead of deleted, so that a second click can say "already verified". */
    consumedAt: instant("consumed_at"),
  },
  (table) => [
    index("email_tokens_person").on(table.personId, table.purpose),
    // Whether an address is still reserved for the account that left it is asked at every sign-up.
    index("email_tokens_undo").on(table.email).where(sql`${table.purpose} = 'undo'`),
  ],
);

/** Browsers a person has signed in with, recognized by the hash of a cookie that outlives sessions. */
export const devices = pgTable(
  "devices",
  {
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    hash: bytes("hash").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    lastSeenAt: instant("last_seen_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.hash] }),
    index("devices_hash").on(table.hash),
  ],
);

/** One counter per thing that is limited, e.g. `login:address:203.0.113.7`. */
export const throttles = pgTable(
  "throttles",
  {
    bucket: text("bucket").primaryKey(),
    count: integer("count").notNull(),
    /** When the window began. */
    since: instant("since").notNull(),
    /** Nothing is allowed before then. */
    blockedUntil: instant("blocked_until"),
  },
  (table) => [index("throttles_since").on(table.since)],
);
