// One heartbeat, as a statement: durable writes that prove the database accepts updates and inserts, and with them
// the database's clock and the other live instances.
import type { InstanceId } from "@turnpike/base";
import { type Sql, schemaVersion } from "@turnpike/db";

export type Beat = {
  /** The database's clock when the statement ran, in Unix milliseconds. */
  readonly databaseNowMs: number;
  /** Live instances including this one. */
  readonly instances: number;
  /** How many of them have a smaller id: 0 … instances - 1. */
  readonly rank: number;
  /** Whether the database was migrated beyond what this version can serve. */
  readonly outdated: boolean;
};

type Row = {
  readonly now_ms: number;
  readonly others: number;
  readonly smaller: number;
  readonly oldest: number | null;
};

/** Nearly a page: with less, inserts would find room on pages that exist, and not notice a full disk. */
const fillerChars = 7_000;

/**
 * Writes the row of `instanceId`, or advances it. An instance is live until it ended, or until its
 * row is older than `lapseMs`, when it stops admitting by itself. A row that was purged is created again;
 * one marked as ended stays so.
 */
export async function sendBeat(sql: Sql, instanceId: InstanceId, lapseMs: number): Promise<Beat> {
  const [row] = await sql<Row[]>`
    with beat as (
      insert into instances (id, schema_version) values (${instanceId}, ${schemaVersion})
      on conflict (id) do update set heartbeat_at = now()),
    last as (delete from write_proofs where instance_id = ${instanceId}),
    proof as (
      insert into write_proofs (instance_id, filler)
      values (${instanceId}, repeat('x', ${fillerChars}::int)))
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
           count(*)::int as others,
           count(*) filter (where id < ${instanceId})::int as smaller,
           (select oldest_served from schema_state) as oldest
      from instances
     where id <> ${instanceId} and ended_at is null
       and heartbeat_at >= now() - ${lapseMs}::int * interval '1 millisecond'`;
  if (row === undefined) throw new Error("the heartbeat returned no row");
  return {
    databaseNowMs: row.now_ms,
    instances: row.others + 1,
    rank: row.smaller,
    outdated: (row.oldest ?? 0) > schemaVersion,
  };
}
