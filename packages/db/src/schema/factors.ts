// What a person proves besides the password: second factors and recovery codes, and the challenges in which
// they are proved. A shared secret is sealed, everything else of use to a thief is stored as a hash.
import type { FactorId, PersonId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, idColumn, instant } from "./columns.ts";
import { persons } from "./people.ts";

/** `totp` is an authenticator app that shows six digits. */
export type FactorKind = "totp" | "passkey";

export const factors = pgTable(
  "factors",
  {
    id: idColumn<FactorId>("id").primaryKey(),
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id, { onDelete: "cascade" }),
    kind: text("kind").$type<FactorKind>().notNull(),
    name: text("name").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Null until the person proved that it works: before that it counts for nothing. */
    confirmedAt: instant("confirmed_at"),
    lastUsedAt: instant("last_used_at"),
    /** Of an app: its secret in base32, sealed. */
    secret: bytes("secret"),
    /** Of an app: the period of the last accepted code. Codes of it and of earlier ones are refused. */
    lastPeriod: bigint("last_period", { mode: "number" }),
    /** Of a passkey, in base64url. */
    credentialId: text("credential_id"),
    /** Of a passkey, in the form of COSE. */
    publicKey: bytes("public_key"),
    /** Of a passkey: how often it was used, if it counts. */
    useCount: bigint("use_count", { mode: "number" }),
    /** Of a passkey: how browsers reach it, separated by commas. */
    transports: text("transports"),
    /** Of a passkey: whether other devices have a copy of it. */
    isBackedUp: boolean("is_backed_up"),
  },
  (table) => [
    index("factors_person").on(table.personId),
    uniqueIndex("factors_credential").on(table.credentialId),
    check(
      "factors_kind",
      sql`(${table.kind} = 'totp' and ${table.secret} is not null)
        or (${table.kind} = 'passkey' and ${table.credentialId} is not null and ${table.publicKey} is not null)`,
    ),
  ],
);

/** Each works once, in place of a factor. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id, { onDelete: "cascade" }),
    /** SHA-256; a code has 80 random bits. */
    hash: bytes("hash").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [primaryKey({ columns: [table.personId, table.hash] })],
);

/** One attempt to sign in, to step up or to add a passkey, which its answer must refer to. */
export const factorChallenges = pgTable(
  "factor_challenges",
  {
    /** SHA-256 of the token that the browser keeps. */
    hash: bytes("hash").primaryKey(),
    /** Null where the passkey is to tell who it is. */
    personId: idColumn<PersonId>("person_id").references(() => persons.id, { onDelete: "cascade" }),
    /** `sign_in`: the password was right, a factor is missing. The others: a passkey was asked for an answer. */
    purpose: text("purpose").$type<"sign_in" | "add_passkey" | "use_passkey">().notNull(),
    /** For `sign_in`: who vouched for the person, where it was not their password. */
    provider: text("provider"),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("factor_challenges_person").on(table.personId),
    index("factor_challenges_expiry").on(table.expiresAt),
  ],
);

/** Requests to remove every factor after a delay. A row stays after it was canceled or used. */
export const factorRecoveries = pgTable(
  "factor_recoveries",
  {
    id: uuid("id").primaryKey(),
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id, { onDelete: "cascade" }),
    requestedAt: instant("requested_at").notNull().defaultNow(),
    /** When the delay is over. */
    readyAt: instant("ready_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** SHA-256 of the secret in the link that cancels it, which is mailed at once. */
    cancelHash: bytes("cancel_hash").notNull(),
    /** SHA-256 of the secret in the link that completes it; null until that is mailed after the delay. */
    finishHash: bytes("finish_hash"),
    canceledAt: instant("canceled_at"),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    uniqueIndex("factor_recoveries_pending")
      .on(table.personId)
      .where(sql`${table.canceledAt} is null and ${table.finishedAt} is null`),
    uniqueIndex("factor_recoveries_cancel").on(table.cancelHash),
    uniqueIndex("factor_recoveries_finish").on(table.finishHash),
  ],
);
