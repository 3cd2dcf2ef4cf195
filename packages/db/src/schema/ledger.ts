// The books: transactions whose entries sum to zero, never edited. Entries of the book "account"
// belong to one account; Turnpike's own books carry the nil account id.
import type { AccountId, InstanceId, LedgerTransactionId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, idColumn, instant, nanosColumn } from "./columns.ts";

export const books = [
  "account",
  "usage_revenue",
  "shortfall",
  "stripe_clearing",
  "refunds",
  "disputes",
  "adjustments",
] as const;
export type Book = (typeof books)[number];

export const ledgerTransactions = pgTable("ledger_transactions", {
  id: idColumn<LedgerTransactionId>("id").primaryKey(),
  kind: text("kind").$type<"usage" | "top_up" | "refund" | "dispute" | "adjustment">().notNull(),
  /** Prevents posting it twice. */
  idempotencyKey: text("idempotency_key").notNull().unique(),
  reason: text("reason").notNull().default(""),
  /** Who caused it: a person, an operator, a job. */
  actor: text("actor").notNull().default(""),
  createdAt: instant("created_at").notNull().defaultNow(),
});

export const entries = pgTable(
  "entries",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    /** The trigger `entries_balanced` proves that it exists. */
    transactionId: idColumn<LedgerTransactionId>("transaction_id").notNull(),
    book: text("book").$type<Book>().notNull(),
    amountNanos: nanosColumn("amount_nanos").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.transactionId, table.book] }),
    index("entries_transaction").on(table.transactionId),
    // What is not usage, by amount: each such movement has one entry in a book that is no account's.
    index("entries_movements")
      .on(table.amountNanos)
      .where(sql`${table.book} in ('stripe_clearing', 'refunds', 'disputes', 'adjustments')`),
    check(
      "entries_book",
      sql`${table.book} in ('account', 'usage_revenue', 'shortfall', 'stripe_clearing', 'refunds', 'disputes', 'adjustments')`,
    ),
    check(
      "entries_house_books_have_no_account",
      sql`(${table.book} = 'account') = (${table.accountId} <> '00000000-0000-0000-0000-000000000000')`,
    ),
  ],
);

/** One row per running process; its leases are closed when its heartbeat stops. */
export const instances = pgTable("instances", {
  id: idColumn<InstanceId>("id").primaryKey(),
  startedAt: instant("started_at").notNull().defaultNow(),
  heartbeatAt: instant("heartbeat_at").notNull().defaultNow(),
  endedAt: instant("ended_at"),
  /** Of the code; absent before the first version that writes it. */
  schemaVersion: integer("schema_version"),
  /** Since when it accepts no new connections and waits for its calls to end. */
  drainingAt: instant("draining_at"),
  /** What operators are shown of it; null for a version that writes none. */
  facts: jsonb("facts").$type<InstanceFacts>(),
});

/** Without secrets: anyone who may read the database reads it. */
export type InstanceFacts = {
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** Its number among those that share a port; null for one that is alone. */
  readonly worker: number | null;
  /** The configuration in force, by the names of the variables; of a secret only whether it is set. */
  readonly settings: Readonly<Record<string, string>>;
  /** Optional features: whether each is on, and what switches it on. */
  readonly features: readonly InstanceFeature[];
};

export type InstanceFeature = {
  readonly name: string;
  readonly isOn: boolean;
  readonly detail: string;
};

/** The last row that each heartbeat inserted: proof that the database accepts inserts, which need new pages. */
export const writeProofs = pgTable("write_proofs", {
  id: uuid("id").primaryKey().defaultRandom(),
  instanceId: idColumn<InstanceId>("instance_id").notNull(),
  /** Most of a page, stored as it is. */
  filler: text("filler").notNull(),
});

/** One row, which only the owner writes: what servers may do with this database. */
export const schemaState = pgTable(
  "schema_state",
  {
    singleton: boolean("singleton").primaryKey().default(true),
    /** The oldest version of the code that can serve this schema. */
    oldestServed: integer("oldest_served").notNull(),
    /** Since then nothing is credited to orders of the sandbox checkout; null where they may be paid. */
    sandboxRefusedSince: instant("sandbox_refused_since").defaultNow(),
    /** The version of the SQL functions and rights; null before versions were counted. */
    functionsVersion: integer("functions_version"),
    /** Of that version's texts; null for texts that were edited and are of no version. */
    functionsSha256: text("functions_sha256"),
  },
  (table) => [check("schema_state_is_one_row", sql`${table.singleton}`)],
);

/**
 * What proves that a movement of money is a server's, not only that somebody knows the password of its role: which may
 * not read this table. Without rows nothing is asked for.
 */
export const ledgerKeys = pgTable("ledger_keys", {
  /** The key of an HMAC-SHA-256, combined with its inner and its outer padding. */
  inner: bytes("inner_pad").primaryKey(),
  outer: bytes("outer_pad").notNull(),
});
