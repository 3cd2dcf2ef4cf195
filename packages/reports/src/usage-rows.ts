// The rows that reports add up: those of `usage_quarter_hours` and of `requests` where a plan says so, with the same
// columns. `at` is the quarter, or when the call was placed.
import { apiKeys, persons, usageOfRequests, usageQuarterHours } from "@turnpike/db";
import { eq, type SQL, sql } from "drizzle-orm";
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
  /** A call without a key belongs to the default project, which has the account's id. */
  project: sql<string>`coalesce(${projectOfKey}, u.account_id)::text`,
  member: sql<string>`coalesce(${persons.email}, '')`,
} as const;

const columns = sql.raw(
  `account_id, key_id, model, provider, origin, operation, class, error_code, calls, charged_nanos,
   prompt_tokens, completion_tokens, cached_tokens, total_ms_counts, first_byte_ms_counts`,
);
const durations = sql.raw("total_ms, first_byte_ms");
const noDurations = sql.raw("null::real as total_ms, null::real as first_byte_ms");

/** `from … where …` of a report; the joins are dropped by the planner where nothing names them. */
export function usageFrom(query: Planned<RequestFilter & UsageRange>): SQL {
  const parts = [...rolledRows(query), ...rawRows(query)];
  const filter = matchingDimensions(query, usage) ?? sql`true`;
  return sql`from (${sql.join(parts, sql` union all `)}) u
    left join ${apiKeys} on ${apiKeys.accountId} = u.account_id and ${apiKeys.id} = u.key_id
    left join ${persons} on ${persons.id} = ${apiKeys.createdBy}
    where ${filter}`;
}

function rolledRows({ accountId, plan }: Planned<UsageRange>): SQL[] {
  if (plan.rolled === undefined) return [];
  const { from, to, except } = plan.rolled;
  const skipped = except.map((at) => sql`${at.toISOString()}::timestamptz`);
  return [
    sql`select quarter as at, ${columns}, ${noDurations} from ${usageQuarterHours}
         where ${eq(usageQuarterHours.accountId, accountId)}
           and quarter >= ${from.toISOString()}::timestamptz and quarter < ${to.toISOString()}::timestamptz
           ${skipped.length === 0 ? sql`` : sql`and quarter not in (${sql.join(skipped, sql`, `)})`}`,
  ];
}

function rawRows({ accountId, plan }: Planned<UsageRange>): SQL[] {
  // A range between two quarters that are added up may be empty; one part is always needed.
  const intervals = plan.raw.length > 0 || plan.rolled ? plan.raw : [nothing];
  return intervals.map(
    (interval) => sql`select placed_at as at, ${columns}, ${durations} from ${usageOfRequests}
      where ${eq(usageOfRequests.accountId, accountId)} and ${within(interval, usageOfRequests)}`,
  );
}

const nothing = { from: new Date(0), to: new Date(0) };
