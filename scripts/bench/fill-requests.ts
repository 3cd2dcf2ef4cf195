// A million request rows, as a busy installation has after a while. They are refused calls, which
// moved no money, so the books still balance.
import { connectDatabase } from "@turnpike/db";
import { modelId } from "./bill.ts";

const batch = 50_000;
const fillTimeoutMs = 120_000;

/** Adds `count` rows of this month to the funded accounts, then updates the planner's statistics. */
export async function fillRequests(ownerUrl: string, count: number): Promise<void> {
  const connection = connectDatabase({
    url: ownerUrl,
    max: 1,
    applicationName: "turnpike bench",
    statementTimeoutMs: fillTimeoutMs,
  });
  try {
    for (let from = 0; from < count; from += batch) {
      // An id is a UUIDv7 of the current time: 48 bits of milliseconds, the version, then random
      // bits.
      await connection.sql`
        with payers as (
          select array_agg(id) as ids from accounts where name like 'bench-%'
        )
        insert into requests (account_id, id, state, model, status, outcome, ended_at)
        select ids[1 + n % cardinality(ids)],
               (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7'
                || substr(md5(${String(from)} || n::text), 1, 3) || '8'
                || substr(md5(n::text || ${String(from)}), 1, 15))::uuid,
               'refused', ${modelId}, 402, 'refused', now()
          from payers, generate_series(1, ${Math.min(batch, count - from)}::int) as n`;
    }
    await connection.sql`analyze requests`;
  } finally {
    await connection.close();
  }
}
