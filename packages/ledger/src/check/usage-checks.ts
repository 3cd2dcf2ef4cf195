// What is added up by quarter of an hour must be the sum of its requests, as far as it claims to be complete.
import { type SQL, sql } from "drizzle-orm";

type Part = {
  readonly usage: SQL;
  readonly requests: SQL;
};

const columns = [
  "free_calls",
  "charged_nanos",
  "shortfall_nanos",
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "operator_cost_nanos",
  "total_ms_counts",
  "images",
  "audio_milliseconds",
  "characters",
  "search_units",
];
const sums = sql.raw(columns.map((name) => `sum(${name}) as ${name}`).join(", "));
// Operators may delete the rows of refused calls.
const answered = sql.raw("sum(calls) filter (where class in ('ok', 'canceled')) as answered");
const row = (of: string) =>
  sql.raw(`(${[...columns, "answered"].map((name) => `coalesce(${of}.${name}, 0)`).join(", ")})`);

/** `part` is what is compared of `usage_quarter_hours` and of `usage_of_requests`. */
export function usageChecks(part: Part): readonly SQL[] {
  const total = (table: string, where: SQL) => sql`
    select account_id, quarter, ${sums}, ${answered} from ${sql.raw(table)} where ${where} group by account_id, quarter`;
  return [
    sql`select 'usage is not the sum of its requests' as "check", account_id || ' ' || quarter as key
          from (${total("usage_quarter_hours", part.usage)}) u
          full join (${total("usage_of_requests", part.requests)}) r using (account_id, quarter)
         where quarter >= (select greatest(rolled_from, sealed_before) from usage_progress)
           and quarter < (select rolled_to from usage_progress)
           and ${row("u")} is distinct from ${row("r")}
           and (account_id, quarter) not in (select c.account_id, c.quarter from usage_changes c)`,
  ];
}

/** Blocks of every length add up to the same days as the quarters they consist of. */
export const blockCheck = sql`
  select 'a day of usage is not the sum of its blocks', account_id || ' ' || day || ' ' || minutes from (
    select account_id, minutes, day, sum(sign * calls) as calls, sum(sign * charged_nanos) as charged,
           sum(sign * prompt_tokens) as prompt, sum(sign * coalesce(total_ms_counts, 0)) as latency,
           sum(sign * coalesce(images, 0)) as images, sum(sign * coalesce(audio_milliseconds, 0)) as audio,
           sum(sign * coalesce(characters, 0)) as characters, sum(sign * coalesce(search_units, 0)) as searches
      from (select account_id, minutes, quarter, 1 as sign, calls, charged_nanos, prompt_tokens, total_ms_counts,
                   images, audio_milliseconds, characters, search_units
              from usage_blocks
            union all
            select account_id, n.minutes, quarter, -1, calls, charged_nanos, prompt_tokens, total_ms_counts,
                   images, audio_milliseconds, characters, search_units
              from usage_quarter_hours cross join (values (60), (360), (1440)) n (minutes)) b
     cross join lateral (select date_bin('1 day', quarter, '2000-01-01 00:00:00+00') as day) d
     group by account_id, minutes, day) s
   where (calls, charged, prompt, latency, images, audio, characters, searches)
         is distinct from (0, 0, 0, 0, 0, 0, 0, 0)
     and day >= (select rolled_from from usage_progress)
     and day + interval '1 day' <= (select rolled_to from usage_progress)
     and (account_id, day) not in (
       select c.account_id, date_bin('1 day', c.quarter, '2000-01-01 00:00:00+00') from usage_changes c)`;
