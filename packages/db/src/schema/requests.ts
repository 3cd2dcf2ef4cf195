// One finished call, inserted once and never changed. Partitioned by month of the UUIDv7 in `id`; the migration declares the partitions.
import type {
  AccountId,
  ApiKeyId,
  GenerationId,
  InstanceId,
  LeaseId,
  LedgerTransactionId,
  PriceId,
} from "@turnpike/base";
import {
  type BudgetKind,
  type BudgetPeriod,
  type GuardrailKind,
  type Operation,
  type Origin,
  operations,
  type UnitCount,
} from "@turnpike/terms";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
} from "drizzle-orm/pg-core";
import { idColumn, instant, listed, nanosColumn } from "./columns.ts";

export const requestStates = ["settled", "released", "expired", "late_settled", "refused"] as const;
export type RequestState = (typeof requestStates)[number];

/** One try at one provider, as `/v1/generation` shows it. */
export type RequestAttempt = {
  readonly provider: string;
  readonly model: string;
  readonly status: number;
  readonly firstByteMs: number | null;
  readonly error: string | null;
  /** When it began, since the call was received. Rows of earlier versions have neither this nor the next. */
  readonly startedMs?: number | undefined;
  /** Until its first byte or, if there was none, until it had failed. */
  readonly waitedMs?: number | undefined;
};

/** What the API answered to a call that it refused. */
export type Refusal = {
  readonly message: string;
  /** Path of the field that is wrong, if one is. */
  readonly param?: string | undefined;
  /** The budget that had been reached; its subject follows from the key of the call. */
  readonly budget?: RefusedBudget | undefined;
  /** The rule of a guardrail that does not allow it; its subject follows from the key of the call. */
  readonly guardrail?: RefusedRule | undefined;
};

export type RefusedRule = {
  readonly kind: GuardrailKind;
  /** As the field of the management API is called. */
  readonly rule: string;
};

export type RefusedBudget = {
  readonly kind: Exclude<BudgetKind, "key">;
  readonly period: BudgetPeriod;
};

/**
 * What a call was billed for besides its tokens, what it cost, and what it was asked without; each member is
 * present if it applies.
 */
export type UsageDetails = {
  /**
   * The tier whose price applied, for a call that asked for a service tier: `default` is the
   * standard one.
   */
  readonly serviceTier?: string;
  /** Parts of the prompt and of the completion. */
  readonly audioPromptTokens?: number;
  /** The cached part of the prompt's audio; absent if the upstream did not report it. */
  readonly cachedAudioPromptTokens?: number;
  readonly audioCompletionTokens?: number;
  readonly acceptedPredictionTokens?: number;
  readonly rejectedPredictionTokens?: number;
  readonly imagePromptTokens?: number;
  readonly imageCompletionTokens?: number;
  readonly webSearches?: number;
  /** What is billed by other units. */
  readonly units?: readonly UnitCount[];
  /** What the operator pays for it, in nano-dollars; accounts are never shown it. */
  readonly operatorCostNanos?: string;
  /** The preferences that its upstream was asked without, by the caller's names for them. */
  readonly ignored?: readonly string[];
  /** What its account paid beside the list price, in hundredths of a percent; below zero is a discount. */
  readonly markupBasisPoints?: number;
  /** Of an answer from the response cache, which is free: the call that was charged for it. */
  readonly cachedFrom?: GenerationId;
  /** Of a refused call; absent in rows of earlier versions. */
  readonly refusal?: Refusal;
};

const amount = (name: string) => nanosColumn(name).notNull().default(sql`0`);
const count = (name: string) => integer(name).notNull().default(0);

/**
 * In the order of the columns of the table: the gateway sends rows as record literals, which have no names. A column that
 * is added is the last one and may be null: processes of the version before send rows without it (`read_calls`).
 */
export const requests = pgTable(
  "requests",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    id: idColumn<GenerationId>("id").notNull(),
    keyId: idColumn<ApiKeyId>("key_id"),
    instanceId: idColumn<InstanceId>("instance_id"),
    state: text("state").$type<RequestState>().notNull(),
    /** Whether it came through `/v1` or from the console's playground. */
    origin: text("origin").$type<Origin>().notNull().default("api"),
    /** `req_…`; the column keeps its original name. */
    requestId: text("trace_id").notNull().default(""),
    /** As it was asked for; of a charged call, the model of the route that answered or was last tried. */
    model: text("model").notNull().default(""),
    /** Of the route that answered or was last tried, like the price. */
    provider: text("provider").notNull().default(""),
    priceId: idColumn<PriceId>("price_id"),
    streamed: boolean("streamed").notNull().default(false),
    /** The output limit the money set; null if the caller's own or the model's applies. */
    maxTokens: integer("max_tokens"),
    heldNanos: amount("held_nanos"),
    costNanos: amount("cost_nanos"),
    chargedNanos: amount("charged_nanos"),
    shortfallNanos: amount("shortfall_nanos"),
    /** For calls older than leases; for all others it is in the lease. */
    transactionId: idColumn<LedgerTransactionId>("transaction_id"),
    promptTokens: count("prompt_tokens"),
    completionTokens: count("completion_tokens"),
    cachedTokens: count("cached_tokens"),
    cacheWriteTokens: count("cache_write_tokens"),
    reasoningTokens: count("reasoning_tokens"),
    /**
     * Where the token counts come from: the upstream's report, our own count, or, where usage was neither reported nor
     * seen, the most the call can have used.
     */
    usageSource: text("usage_source")
      .$type<"upstream" | "counted" | "estimated" | "none">()
      .notNull()
      .default("none"),
    status: count("status"),
    /** One of our own terms: `completed`, `client_closed`, `upstream_failed`, … */
    outcome: text("outcome").notNull().default(""),
    errorCode: text("error_code"),
    finishReason: text("finish_reason"),
    nativeFinishReason: text("native_finish_reason"),
    upstreamId: text("upstream_id"),
    userAgent: text("user_agent"),
    /** Null also if there was only one, which succeeded: see below. */
    attempts: jsonb("attempts").$type<readonly RequestAttempt[]>(),
    placedAt: instant("placed_at").notNull().defaultNow(),
    endedAt: instant("ended_at"),
    firstByteMs: real("first_byte_ms"),
    overheadMs: real("overhead_ms"),
    totalMs: real("total_ms"),
    /** What paid for it; null for a refused call and for calls older than leases. */
    leaseId: idColumn<LeaseId>("lease_id"),
    operation: text("operation").$type<Operation>().notNull().default("chat"),
    /** The part of the tokens written to a cache that is kept for an hour. */
    cacheWrite1hTokens: count("cache_write_1h_tokens"),
    /** Null for a call billed by tokens only. */
    usageDetails: jsonb("usage_details").$type<UsageDetails>(),
    /** How the calling application names itself. */
    app: text("app"),
    /** The person that the application calls for, in its own words. */
    endUser: text("end_user"),
    /**
     * The attempt of a call that its first provider answered, whose `attempts` is null: most of it is in other columns
     * (`attemptsOf`). This is the provider's name of the model, if it is another one.
     */
    attemptModel: text("attempt_model"),
    attemptStartedMs: real("attempt_started_ms"),
    attemptWaitedMs: real("attempt_waited_ms"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // Finds a call whose account is not known: ids begin with their time, and rows are stored in that order.
    index("requests_by_time")
      .using("brin", table.id)
      .with({ pages_per_range: 32, autosummarize: true }),
    check(
      "requests_state",
      sql`${table.state} in ('settled', 'released', 'expired', 'late_settled', 'refused')`,
    ),
    check("requests_operation", sql`${table.operation} in ${listed(operations)}`),
    check(
      "requests_charge_within_cost",
      sql`${table.chargedNanos} >= 0 and ${table.shortfallNanos} >= 0 and ${table.chargedNanos} + ${table.shortfallNanos} = ${table.costNanos}`,
    ),
    check(
      "requests_charge_within_hold",
      // Before that moment a late settlement was capped only by the balance.
      sql`${table.chargedNanos} <= ${table.heldNanos} or (${table.state} = 'late_settled' and ${table.endedAt} < late_charges_capped_since()) is true`,
    ),
  ],
);

export type RequestRow = typeof requests.$inferSelect;
