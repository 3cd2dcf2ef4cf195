// How people sign in elsewhere: the identities that providers vouch for, and sign-ins that are under way there.
// An identity is what the provider never reuses, its subject; the address is only what it stated last.
import type { IdentityId, PersonId } from "@turnpike/base";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, idColumn, instant } from "./columns.ts";
import { persons } from "./people.ts";

export const identities = pgTable(
  "identities",
  {
    id: idColumn<IdentityId>("id").primaryKey(),
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    /** Its name in the configuration when it was last used; the issuer decides whose identity it is. */
    provider: text("provider").notNull(),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    /** Verified by the provider when it was linked, as stated at the last sign-in. */
    email: text("email").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    lastUsedAt: instant("last_used_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("identities_subject").on(table.issuer, table.subject),
    index("identities_person").on(table.personId),
  ],
);

/** A browser that was sent to a provider. It comes back once, within minutes, or not at all. */
export const providerAttempts = pgTable(
  "provider_attempts",
  {
    /** SHA-256 of the state. */
    hash: bytes("hash").primaryKey(),
    /** SHA-256 of the cookie of the browser that began, from which nonce and code verifier are derived. */
    browserHash: bytes("browser_hash").notNull(),
    provider: text("provider").notNull(),
    /** The session (its public id) that links an identity; null signs in. */
    sessionId: text("session_id"),
    /** The path to go to afterwards. */
    next: text("next").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    consumedAt: instant("consumed_at"),
  },
  (table) => [index("provider_attempts_expires").on(table.expiresAt)],
);
