// Who signs in (person), who holds money (account), who may act for whom (membership), and who was invited.
import type { AccountId, InvitationId, PersonId, ProjectId } from "@turnpike/base";
import { type AccountKind, accountKinds, type Role, roles } from "@turnpike/terms";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, idColumn, instant, listed, nanosColumn } from "./columns.ts";

/** As the company writes them; what it left out is empty. */
export type CompanyDetails = {
  readonly name: string;
  readonly addressLines: readonly string[];
  readonly taxNumber: string;
};

/** One term of what an account agreed with the operator: the most specific one in force decides. */
export type PriceTerm = {
  /** An id, or a pattern that ends in `*`. */
  readonly models: string;
  /** On the list price, in hundredths of a percent; below zero is a discount. */
  readonly markupBasisPoints: number;
  /** ISO 8601; without it the term has no end. */
  readonly until?: string;
};

/** Anyone who did something in an account cannot have it forgotten sooner. */
export const auditRetentionDaysMin = 90;

export const persons = pgTable(
  "persons",
  {
    id: idColumn<PersonId>("id").primaryKey(),
    /** Lower-case; the address is the name a person signs in with. */
    email: text("email").notNull().unique(),
    name: text("name").notNull().default(""),
    passwordHash: text("password_hash"),
    emailVerifiedAt: instant("email_verified_at"),
    passwordChangedAt: instant("password_changed_at"),
    /** IANA name; empty follows the browser. */
    timeZone: text("time_zone").notNull().default(""),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** They asked for it, and may cancel it until then. */
    deletionDueAt: instant("deletion_due_at"),
    /** Nothing about them is left in this row; others refer to it. */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    // Operators look people up by how an address or a name begins.
    index("persons_email_begins").on(sql`${table.email} text_pattern_ops`),
    index("persons_name_begins").on(sql`lower(${table.name}) text_pattern_ops`),
  ],
);

export const accounts = pgTable(
  "accounts",
  {
    id: idColumn<AccountId>("id").primaryKey(),
    kind: text("kind").$type<AccountKind>().notNull().default("personal"),
    name: text("name").notNull().default(""),
    /** Names the account in URLs. Chosen for an organization, made up for a personal account. */
    slug: text("slug")
      .notNull()
      .unique()
      .default(sql`'u-' || right(replace(gen_random_uuid()::text, '-', ''), 16)`),
    /** From then on, members without a second factor are refused; null requires none. */
    factorsRequiredFrom: instant("factors_required_from"),
    /** IANA name: at whose midnight the periods of budgets begin. */
    timeZone: text("time_zone").notNull().default("UTC"),
    /** Deleted by its owner: nobody belongs to it any more, its books stay. */
    closedAt: instant("closed_at"),
    /** Sum of the account's ledger entries. */
    balanceNanos: nanosColumn("balance_nanos").notNull().default(sql`0`),
    /** Of these, the sum of what is not usage: paid in, less what was taken back. */
    creditedNanos: nanosColumn("credited_nanos").notNull().default(sql`0`),
    /** Sum of what its open leases were granted. */
    heldNanos: nanosColumn("held_nanos").notNull().default(sql`0`),
    /** Set while a refund or dispute has pushed the balance below zero. */
    frozenAt: instant("frozen_at"),
    /** What it may owe, granted by an operator: its balance may go this far below zero. */
    creditLimitNanos: nanosColumn("credit_limit_nanos").notNull().default(sql`0`),
    /** Money is about to be taken back: until then leases reserve nothing in advance. */
    recalledUntil: instant("recalled_until"),
    suspendedAt: instant("suspended_at"),
    stripeCustomerId: text("stripe_customer_id").unique(),
    /** A mail is sent when what is available falls below it; null sends none. */
    lowBalanceAlertNanos: nanosColumn("low_balance_alert_nanos"),
    /** Set when that mail was queued, cleared when the balance is above the level again. */
    lowBalanceAlertedAt: instant("low_balance_alerted_at"),
    /** Of the last mail about it. */
    lowBalanceMailedAt: instant("low_balance_mailed_at"),
    /** Whether a mail is sent on a day that costs far more than usual. */
    tellsUnusualSpend: boolean("tells_unusual_spend").notNull().default(true),
    /** The last day (UTC) that mail was about. */
    unusualSpendToldOn: date("unusual_spend_told_on", { mode: "string" }),
    /** Limits of all its calls together; null is unlimited. */
    requestsPerMinute: integer("requests_per_minute"),
    tokensPerMinute: integer("tokens_per_minute"),
    concurrency: integer("concurrency"),
    /** How long its audit log is kept; null is for ever. Checked by `accounts_audit_retention`. */
    auditRetentionDays: integer("audit_retention_days"),
    /** Its own prices, agreed with the operator; null is the list price of every model. */
    priceTerms: jsonb("price_terms").$type<readonly PriceTerm[]>(),
    /** Named on statements; null names the account only. */
    company: jsonb("company").$type<CompanyDetails>(),
    /** A key that is reported as leaked is revoked; otherwise its owner is only told. */
    revokesLeakedKeys: boolean("revokes_leaked_keys").notNull().default(true),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    // There are few: every instance reads them each second.
    index("accounts_stopped")
      .on(table.id)
      .where(sql`${table.frozenAt} is not null or ${table.suspendedAt} is not null`),
    index("accounts_name_begins").on(sql`lower(${table.name}) text_pattern_ops`),
    check(
      "accounts_price_terms",
      sql`jsonb_typeof(${table.priceTerms}) = 'array' and jsonb_array_length(${table.priceTerms}) <= 100`,
    ),
    check("accounts_company", sql`jsonb_typeof(${table.company}) = 'object'`),
    check("accounts_kind", sql`${table.kind} in ${listed(accountKinds)}`),
    check("accounts_credit_not_negative", sql`${table.creditLimitNanos} >= 0`),
    check("accounts_held_not_negative", sql`${table.heldNanos} >= 0`),
    check(
      "accounts_never_overdrawn",
      sql`${table.balanceNanos} + ${table.creditLimitNanos} - ${table.heldNanos} >= 0 or ${table.frozenAt} is not null`,
    ),
  ],
);

/** Every slug an organization ever had: links with a former one still lead to it. */
export const accountSlugs = pgTable(
  "account_slugs",
  {
    slug: text("slug").primaryKey(),
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [index("account_slugs_account").on(table.accountId)],
);

export const memberships = pgTable(
  "memberships",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    personId: idColumn<PersonId>("person_id")
      .notNull()
      .references(() => persons.id),
    role: text("role").$type<Role>().notNull().default("owner"),
    /** The projects this member works in; null is all of them. */
    projectIds: uuid("project_ids").array().$type<ProjectId[]>(),
    /** The owner who offers this member the ownership, until it is accepted, declined or withdrawn. */
    ownershipOfferedBy: idColumn<PersonId>("ownership_offered_by").references(() => persons.id),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.personId] }),
    index("memberships_person").on(table.personId),
  ],
);

/** An address that was asked to join an account. A row stays when it is accepted or revoked. */
export const invitations = pgTable(
  "invitations",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: idColumn<InvitationId>("id").notNull(),
    /** As `parseEmail` returns it. */
    email: text("email").notNull(),
    role: text("role").$type<Role>().notNull(),
    /** The projects the new member will work in; null is all of them. */
    projectIds: uuid("project_ids").array().$type<ProjectId[]>(),
    /** SHA-256 of the secret in the mailed link; sending it again replaces it. */
    hash: bytes("hash").notNull(),
    invitedBy: idColumn<PersonId>("invited_by")
      .notNull()
      .references(() => persons.id),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    /** Someone who signs in with another address opened the link: a member must confirm them. */
    claimedBy: idColumn<PersonId>("claimed_by").references(() => persons.id),
    acceptedAt: instant("accepted_at"),
    acceptedBy: idColumn<PersonId>("accepted_by").references(() => persons.id),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("invitations_hash").on(table.hash),
    uniqueIndex("invitations_pending")
      .on(table.accountId, table.email)
      .where(sql`${table.acceptedAt} is null and ${table.revokedAt} is null`),
    check("invitations_role", sql`role in ${listed(roles)}`),
  ],
);
