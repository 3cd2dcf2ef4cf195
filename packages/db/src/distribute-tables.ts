// Spreads the table that grows with every call over the workers of a Citus cluster, by account. Everything that
// decides about money stays on the coordinator, in the same transaction as the rows on the workers.
import type { Sql } from "./connect.ts";

/**
 * What accounts keep (stored answers and prompts, objects, batches and their lines) is bounded by account and goes in time; queues and
 * purges take it in the order in which it is due, whosever it is. So it stays on the coordinator.
 *
 * Each has `account_id` in its primary key, in every unique index, and in every join with another of them.
 */
export const distributedTables = ["requests", "usage_quarter_hours", "usage_blocks"] as const;

/** Functions of rows of those tables, which the workers must have. */
const rowFunctions = ["pack_latency(real)", "count_units(jsonb, text)"] as const;

export type Distribution = {
  /** Tables that this call distributed; empty if all were before. */
  readonly distributed: readonly string[];
  readonly shards: number;
  readonly workers: number;
};

const shardCount = 32;

/** Thrown where tables cannot be distributed; the message says what to do. */
export class NotDistributable extends Error {
  override readonly name = "NotDistributable";
}

/**
 * Distributes what is not distributed yet; the caller owns the tables. Waits for writers of them and makes them
 * wait. Safe to repeat, e.g. after an interruption or a migration. Throws NotDistributable.
 */
export async function distributeTables(sql: Sql): Promise<Distribution> {
  const workers = await countWorkers(sql);
  const distributed: string[] = [];
  for (const table of distributedTables) {
    if (await isDistributed(sql, table)) continue;
    await prepareTable(sql, table);
    await sql`select create_distributed_table(${table}, 'account_id', shard_count => ${shardCount})`;
    distributed.push(table);
  }
  for (const name of rowFunctions) await sql`select create_distributed_function(${name})`;
  await planForShards(sql);
  const [row] = await sql<{ shards: number }[]>`
    select count(*)::int as shards from pg_dist_shard where logicalrelid = 'requests'::regclass`;
  return { distributed, shards: row?.shards ?? 0, workers };
}

/** A worker cannot write to the coordinator: the functions that charge note late calls instead. */
async function prepareTable(sql: Sql, table: string): Promise<void> {
  if (table === "requests") await sql`drop trigger if exists requests_note_late on requests`;
}

async function countWorkers(sql: Sql): Promise<number> {
  if (!(await hasCitus(sql))) {
    throw new NotDistributable(
      "The database has no Citus: run `create extension citus` in it and on its workers, and `citus_add_node` for each worker.",
    );
  }
  const [row] = await sql<{ workers: number }[]>`
    select count(*)::int as workers from citus_get_active_worker_nodes()`;
  const workers = row?.workers ?? 0;
  if (workers > 0) return workers;
  throw new NotDistributable("The cluster has no worker: add one with `citus_add_node`.");
}

async function hasCitus(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ present: boolean }[]>`
    select exists (select from pg_extension where extname = 'citus') as present`;
  return row?.present ?? false;
}

async function isDistributed(sql: Sql, table: string): Promise<boolean> {
  const rows = await sql`
    select from pg_dist_partition where logicalrelid = ${table}::regclass and partmethod = 'h'`;
  return rows.length > 0;
}

/**
 * Has functions that name a distributed table planned with the values of each call: Citus chooses the shards while
 * it plans, and cannot plan for values it does not know. A no-op on a database that is not distributed.
 */
export async function planForShards(sql: Sql): Promise<void> {
  if (!(await hasCitus(sql)) || !(await isDistributed(sql, "requests"))) return;
  const rows = await sql<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
     where pronamespace = 'public'::regnamespace
       and 'plan_cache_mode=force_generic_plan' = any (proconfig)
       and prosrc ~ ${`\\m(${distributedTables.join("|")})\\M`}`;
  for (const { signature } of rows) {
    await sql.unsafe(`alter function ${signature} set plan_cache_mode = auto`);
  }
}
