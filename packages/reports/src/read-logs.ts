// The requests of an account, newest first: pages for the list, and one in full for its detail sheet. A
// request of another account is reported as missing.
import {
  defaultProjectOf,
  formatGenerationId,
  type GenerationId,
  type Nanos,
  parseGenerationId,
} from "@turnpike/base";
import {
  apiKeys,
  type Db,
  prices,
  type RefusedBudget,
  type RefusedRule,
  type RequestOperation,
  rateColumns,
  requests,
} from "@turnpike/db";
import { and, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import { type CostLine, costLinesOf } from "./cost-lines.ts";
import { matching, type ReportScope, type RequestFilter, requestClass } from "./select-requests.ts";

export const statusClasses = ["2xx", "4xx", "5xx", "canceled"] as const;
export type StatusClass = (typeof statusClasses)[number];

export type LogQuery = RequestFilter & {
  readonly operation?: RequestOperation | undefined;
  readonly statusClass?: StatusClass | undefined;
  readonly errorCode?: string | undefined;
  readonly minCostNanos?: Nanos | undefined;
  readonly minLatencyMs?: number | undefined;
  /** `gen-…`, `chatcmpl-…`, `req_…` or the UUID. */
  readonly requestId?: string | undefined;
  /** Rows newer than this id, for the live tail. */
  readonly after?: GenerationId | undefined;
  readonly cursor?: GenerationId | undefined;
  readonly limit: number;
};

const columns = {
  id: requests.id,
  at: requests.placedAt,
  status: requests.status,
  outcome: requests.outcome,
  errorCode: requests.errorCode,
  model: requests.model,
  provider: requests.provider,
  keyId: requests.keyId,
  keyName: apiKeys.name,
  origin: requests.origin,
  operation: requests.operation,
  promptTokens: requests.promptTokens,
  completionTokens: requests.completionTokens,
  cachedTokens: requests.cachedTokens,
  chargedNanos: requests.chargedNanos,
  firstByteMs: requests.firstByteMs,
  totalMs: requests.totalMs,
  streamed: requests.streamed,
  /** Of an answer from the response cache: the call that was charged for it. */
  cachedFrom: sql<GenerationId | null>`${requests.usageDetails} ->> 'cachedFrom'`,
} as const;

const ofKey = and(eq(apiKeys.id, requests.keyId), eq(apiKeys.accountId, requests.accountId));

/** One row of the list. */
export type LogRow = Awaited<ReturnType<typeof selectLogs>>[number];

export type LogPage = { readonly rows: LogRow[]; readonly nextCursor: GenerationId | null };

export async function readLogs(db: Db, query: LogQuery): Promise<LogPage> {
  const rows = await selectLogs(db, query);
  const page = rows.slice(0, query.limit);
  return {
    rows: page,
    nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function selectLogs(db: Db, query: LogQuery) {
  return db
    .select(columns)
    .from(requests)
    .leftJoin(apiKeys, ofKey)
    .where(
      and(
        matchingLogs(query),
        query.cursor === undefined ? undefined : lt(requests.id, query.cursor),
        query.after === undefined ? undefined : gt(requests.id, query.after),
      ),
    )
    .orderBy(desc(requests.id))
    .limit(query.limit + 1);
}

function matchingLogs(query: LogQuery): SQL | undefined {
  return and(
    matching(query),
    query.operation === undefined ? undefined : eq(requests.operation, query.operation),
    query.statusClass === undefined ? undefined : matchingStatus(query.statusClass),
    query.errorCode === undefined ? undefined : eq(requests.errorCode, query.errorCode),
    query.minCostNanos === undefined ? undefined : gte(requests.chargedNanos, query.minCostNanos),
    query.minLatencyMs === undefined ? undefined : gte(requests.totalMs, query.minLatencyMs),
    query.requestId === undefined ? undefined : matchingId(query.requestId),
  );
}

function matchingStatus(wanted: StatusClass): SQL | undefined {
  if (wanted === "canceled") return sql`${requestClass} = 'canceled'`;
  const hundred = Number(wanted[0]) * 100;
  return and(
    sql`${requestClass} <> 'canceled'`,
    gte(requests.status, hundred),
    lt(requests.status, hundred + 100),
  );
}

function matchingId(text: string): SQL {
  const id = parseGenerationId(text.trim());
  return id === undefined ? eq(requests.requestId, text.trim()) : eq(requests.id, id);
}

export type LogBar = { readonly at: Date; readonly ok: number; readonly failed: number };

const barsMax = 48;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** So that bars begin at round times. */
const barWidthsMs = [
  ...[1, 5, 15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * hourMs),
];

/** The narrowest of the nice widths that fits; beyond 48 days whole days. */
function barWidthOf(rangeMs: number): number {
  const least = rangeMs / barsMax;
  const dayMs = 24 * hourMs;
  return barWidthsMs.find((width) => width >= least) ?? Math.ceil(least / dayMs) * dayMs;
}

/** The requests of the range in at most 48 bars of equal width, including empty ones. */
export async function readLogHistogram(
  db: Db,
  query: LogQuery & { readonly from: Date; readonly to: Date },
): Promise<LogBar[]> {
  const start = query.from.getTime();
  const rangeMs = query.to.getTime() - start;
  const width = barWidthOf(rangeMs);
  const bar = sql<number>`floor((extract(epoch from ${requests.placedAt}) * 1000 - ${start}) / ${width})::int`;
  const rows = await db
    .select({
      bar,
      ok: sql<number>`(count(*) filter (where ${requestClass} = 'ok'))::int`,
      all: sql<number>`count(*)::int`,
    })
    .from(requests)
    .where(matchingLogs(query))
    .groupBy(sql`1`);
  const found = new Map(rows.map((row) => [row.bar, row]));
  return Array.from({ length: Math.ceil(rangeMs / width) }, (_, index) => {
    const { ok = 0, all = 0 } = found.get(index) ?? {};
    return { at: new Date(start + index * width), ok, failed: all - ok };
  });
}

const requestColumns = {
  id: requests.id,
  requestId: requests.requestId,
  usageSource: requests.usageSource,
  promptTokens: requests.promptTokens,
  completionTokens: requests.completionTokens,
  cachedTokens: requests.cachedTokens,
  cacheWriteTokens: requests.cacheWriteTokens,
  cacheWrite1hTokens: requests.cacheWrite1hTokens,
  reasoningTokens: requests.reasoningTokens,
  usageDetails: requests.usageDetails,
  finishReason: requests.finishReason,
  nativeFinishReason: requests.nativeFinishReason,
  costNanos: requests.costNanos,
  chargedNanos: requests.chargedNanos,
  shortfallNanos: requests.shortfallNanos,
  priceId: requests.priceId,
  attempts: requests.attempts,
  maxTokens: requests.maxTokens,
  overheadMs: requests.overheadMs,
  userAgent: requests.userAgent,
  endedAt: requests.endedAt,
} as const;

export type LogDetail = {
  readonly row: LogRow;
  readonly request: Pick<typeof requests.$inferSelect, keyof typeof requestColumns>;
  readonly generationId: string;
  /** What refused it: its period, and whose it is; null for a member who is unknown. */
  readonly budget: (RefusedBudget & { readonly subjectId: string | null }) | null;
  /** What refused it; null for a key that the call does not have. */
  readonly guardrail: (RefusedRule & { readonly subjectId: string | null }) | null;
  /** They sum exactly to the charge. */
  readonly costLines: readonly CostLine[];
};

export async function readLogDetail(
  db: Db,
  scope: ReportScope,
  id: GenerationId,
): Promise<LogDetail | undefined> {
  const [found] = await db
    .select({
      row: columns,
      request: requestColumns,
      price: rateColumns,
      projectId: apiKeys.projectId,
      createdBy: apiKeys.createdBy,
    })
    .from(requests)
    .leftJoin(apiKeys, ofKey)
    .leftJoin(prices, eq(prices.id, requests.priceId))
    .where(and(matching(scope), eq(requests.id, id)));
  if (found === undefined) return undefined;
  const { row, request, price } = found;
  const { budget = null, guardrail = null } = request.usageDetails?.refusal ?? {};
  const subjects = {
    account: scope.accountId,
    // A call without a key belongs to the default project.
    project: found.projectId ?? defaultProjectOf(scope.accountId),
    member: found.createdBy,
    key: row.keyId,
  };
  return {
    row,
    request,
    generationId: formatGenerationId(id),
    costLines: costLinesOf(request, price),
    budget: budget && { ...budget, subjectId: subjects[budget.kind] },
    guardrail: guardrail && { ...guardrail, subjectId: subjects[guardrail.kind] },
  };
}
