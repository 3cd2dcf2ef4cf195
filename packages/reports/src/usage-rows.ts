// The rows that reports add up: those of `usage_quarter_hours` and of `requests` where a plan says so, with the same
// columns. `at` is the quarter, or when the call was placed.
import {
  apiKeys,
  arrayLiteral,
  persons,
  usageBlocks,
  usageOfRequests,
  usageQuarterHours,
} from "@turnpike/db";
import { eq, type SQL, sql } from "drizzle-orm";
import { coverUsage, quarterHourMinutes, type Span } from "./cover-usage.ts";
import type { Planned, UsageRange } from "./plan-usage.ts";
import { matchingDimensions, projectOfKey, type RequestFilter, within } from "./select-requests.ts";

/** The columns of `usageFrom`. */
export const usage = {
  at: sql`u.at`,
  keyId: sql`u.key_id`,
  model: sql<string>`u.model`,
  provider: sql<string>`u.provider`,
  origin: sql`u.origin`,
  operation: sql<string>`u.operation`,
  class: sql<string>`u.class`,
  errorCode: sql<string>`u.error_code`,
  /** Empty in what is added up: see `planCalls`. */
  app: sql<string>`u.app`,
  endUser: sql<string>`u.end_user`,
  /** A call without a key belongs to the default project, which has the account's id. */
  project: sql<string>`coalesce(${projectOfKey}, u.account_id)::text`,
  member: sql<string>`coalesce(${persons.email}, '')`,
} as const;

const columns = sql.raw(
  `account_id, key_id, model, provider, origin, operation, class, error_code, calls, charged_nanos,
   prompt_tokens, completion_tokens, cached_tokens, images, audio_milliseconds, characters, search_units`,
);
/** What is added up has histograms; a call has its durations, an app and a user. */
const ofSums = sql.raw(
  `total_ms_counts, first_byte_ms_counts, null::real as total_ms, null::real as first_byte_ms,
   '' as app, '' as end_user`,
);
const ofCalls = sql.raw(
  `null::numeric as total_ms_counts, null::numeric as first_byte_ms_counts, total_ms, first_byte_ms,
   app, end_user`,
);

/**
 * `from … where …` of a report; the joins are dropped by the planner where nothing names them. No row lies on both sides
 * of one of the `boundaries`, which ascend.
 */
export function usageFrom(
  query: Planned<RequestFilter & UsageRange>,
  boundaries: readonly number[] = [],
): SQL {
  const parts = [...rolledRows(query, boundaries), ...rawRows(query)];
  const filter = matchingDimensions(query, usage) ?? sql`true`;
  return sql`from (${sql.join(parts, sql` union all `)}) u
    left join ${apiKeys} on ${apiKeys.accountId} = u.account_id and ${apiKeys.id} = u.key_id
    left join ${persons} on ${persons.id} = ${apiKeys.createdBy}
    where ${filter}`;
}

function rolledRows(
  { accountId, plan }: Planned<UsageRange>,
  boundaries: readonly number[],
): readonly SQL[] {
  if (plan.rolled === undefined) return [];
  return [...coverUsage(plan.rolled, boundaries)].map(([minutes, spans]) => {
    const instants = (read: (span: Span) => number) =>
      sql`${arrayLiteral(spans.map((span) => new Date(read(span)).toISOString()))}::timestamptz[]`;
    const table = minutes === quarterHourMinutes ? usageQuarterHours : usageBlocks;
    const ofSize = minutes === quarterHourMinutes ? sql`true` : sql`x.minutes = ${minutes}`;
    // `offset 0` keeps the planner from reading the whole account for a join.
    return sql`select r.* from unnest(${instants((span) => span.from)}, ${instants((span) => span.to)}) s ("from", "to")
      cross join lateral (select quarter as at, ${columns}, ${ofSums} from ${table} x
         where x.account_id = ${accountId} and ${ofSize}
           and x.quarter >= s."from" and x.quarter < s."to" offset 0) r`;
  });
}

function rawRows({ accountId, plan }: Planned<UsageRange>): SQL[] {
  // A range between two quarters that are added up may be empty; one part is always needed.
  const intervals = plan.raw.length > 0 || plan.rolled ? plan.raw : [nothing];
  return intervals.map(
    (interval) => sql`select placed_at as at, ${columns}, ${ofCalls} from ${usageOfRequests}
      where ${eq(usageOfRequests.accountId, accountId)} and ${within(interval, usageOfRequests)}`,
  );
}

const nothing = { from: new Date(0), to: new Date(0) };
