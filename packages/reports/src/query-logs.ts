// The requests of an account, newest first: pages for the list, and one in full for its detail sheet. A
// request of another account is reported as missing.
import { defaultProjectOf, formatGenerationId, type GenerationId } from "@turnpike/base";
import {
  apiKeys,
  attemptsOf,
  type Db,
  prices,
  type RefusedBudget,
  type RefusedRule,
  type RequestRow,
  rateColumns,
  requests,
  toRates,
} from "@turnpike/db";
import { and, count, desc, eq, getTableColumns, gt, lt, sql } from "drizzle-orm";
import { type CostLine, costLinesOf } from "./cost-lines.ts";
import { type LogQuery, matchingLogs } from "./log-query.ts";
import { findOldestNeeded } from "./narrow-logs.ts";
import type { PlanLimits } from "./plan-usage.ts";
import { matching, type ReportScope } from "./select-requests.ts";

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
  app: requests.app,
  endUser: requests.endUser,
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

export async function queryLogs(
  db: Db,
  query: LogQuery,
  limits?: Partial<PlanLimits>,
): Promise<LogPage> {
  const from = await findOldestNeeded(db, query, limits);
  if (from === "none") return { rows: [], nextCursor: null };
  const rows = await selectLogs(db, { ...query, from });
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
      ),
    )
    .orderBy(desc(requests.id))
    .limit(query.limit + 1);
}

/** How many requests are newer than one, for the live tail; it does not count beyond `most`. */
export async function countNewerLogs(
  db: Db,
  query: LogQuery,
  { than, most }: { readonly than: GenerationId; readonly most: number },
): Promise<number> {
  const newer = db
    .select({ id: requests.id })
    .from(requests)
    .where(and(matchingLogs(query), gt(requests.id, than)))
    .limit(most)
    .as("newer");
  const [counted] = await db.select({ newer: count() }).from(newer);
  return counted?.newer ?? 0;
}

/** All of them: what is shown of them is chosen where it is shown. */
const requestColumns = getTableColumns(requests);

export type LogDetail = {
  readonly row: LogRow;
  readonly request: RequestRow;
  readonly generationId: string;
  /** What refused it: its period, and whose it is; null for a member who is unknown. */
  readonly budget: (RefusedBudget & { readonly subjectId: string | null }) | null;
  /** What refused it; null for a key that the call does not have. */
  readonly guardrail: (RefusedRule & { readonly subjectId: string | null }) | null;
  /** They sum exactly to the charge. */
  readonly costLines: readonly CostLine[];
};

export async function queryLogDetail(
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
    request: { ...request, attempts: attemptsOf(request) },
    generationId: formatGenerationId(id),
    costLines: costLinesOf(request, price && toRates(price)),
    budget: budget && { ...budget, subjectId: subjects[budget.kind] },
    guardrail: guardrail && { ...guardrail, subjectId: subjects[guardrail.kind] },
  };
}
