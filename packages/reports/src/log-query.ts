// Which calls Logs lists: the filters of reports and those of single calls.
import { type GenerationId, parseGenerationId } from "@turnpike/base";
import { requests } from "@turnpike/db";
import type { CallerName, Nanos, Operation, StatusClass } from "@turnpike/terms";
import { and, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { matching, type RequestFilter, requestClass } from "./select-requests.ts";

export type LogQuery = RequestFilter & {
  readonly operation?: Operation | undefined;
  readonly statusClass?: StatusClass | undefined;
  readonly errorCode?: string | undefined;
  readonly app?: string | undefined;
  readonly endUser?: string | undefined;
  /** Only requests that were sent without these. */
  readonly without?: readonly CallerName[] | undefined;
  readonly minCostNanos?: Nanos | undefined;
  readonly minLatencyMs?: number | undefined;
  /** `gen-…`, `chatcmpl-…`, `req_…` or the UUID. */
  readonly requestId?: string | undefined;
  readonly cursor?: GenerationId | undefined;
  readonly limit: number;
};

export function matchingLogs(query: LogQuery): SQL | undefined {
  return and(
    matching(query),
    query.operation === undefined ? undefined : eq(requests.operation, query.operation),
    query.statusClass === undefined ? undefined : matchingStatus(query.statusClass),
    query.errorCode === undefined ? undefined : eq(requests.errorCode, query.errorCode),
    query.app === undefined ? undefined : eq(requests.app, query.app),
    query.endUser === undefined ? undefined : eq(requests.endUser, query.endUser),
    ...(query.without ?? []).map((name) => isNull(columnsOf[name])),
    query.minCostNanos === undefined ? undefined : gte(requests.chargedNanos, query.minCostNanos),
    query.minLatencyMs === undefined ? undefined : gte(requests.totalMs, query.minLatencyMs),
    query.requestId === undefined ? undefined : matchingId(query.requestId),
  );
}

const columnsOf = { app: requests.app, user: requests.endUser } as const;

function matchingStatus(wanted: StatusClass): SQL | undefined {
  if (wanted === "canceled") return sql`${requestClass} = 'canceled'`;
  if (wanted === "failed") return sql`${requestClass} in ('client_error', 'server_error')`;
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
