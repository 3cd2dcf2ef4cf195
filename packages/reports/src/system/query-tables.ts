// How large the tables of the database are, for operators; requests by partition. From PostgreSQL's own statistics, and from
// those of the workers of a Citus cluster: no row is read.
import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";

export type TableRow = {
  readonly name: string;
  /** With indexes and long values. */
  readonly bytes: number;
  /** Estimated; null before the first analysis. */
  readonly rows: number | null;
};

export type PartitionRow = TableRow & {
  /** As PostgreSQL states it: from the first id of a month to that of the next, or the default. */
  readonly bounds: string;
};

export type DatabaseSize = {
  readonly bytes: number;
  readonly tables: readonly TableRow[];
  readonly partitions: readonly PartitionRow[];
};

/** The largest tables first, and the newest partitions. */
export async function queryDatabaseSize(db: Db): Promise<DatabaseSize> {
  const [spread] = await db.execute<{ distributed: boolean }>(sql`
    select are_requests_distributed() as distributed`);
  const shards = spread?.distributed === true ? shardsOfWorkers : noShards;
  const [size] = await db.execute<{ bytes: number }>(sql`
    with shards as materialized (${shards})
    select pg_database_size(current_database())::float8
           + coalesce((select sum(bytes) from shards), 0)::float8 as bytes`);
  const tables = await db.execute<TableRow>(sql`
    with shards as materialized (${shards})
    select relname as name,
           (pg_total_relation_size(c.oid) + coalesce(s.bytes, 0))::float8 as bytes,
           case when s.id is null then nullif(reltuples, -1)::float8 end as rows
      from pg_class c left join shards s on s.id = c.oid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
     order by 2 desc, 1`);
  const partitions = await db.execute<PartitionRow>(sql`
    with shards as materialized (${shards})
    select c.relname as name,
           (pg_total_relation_size(c.oid) + coalesce(s.bytes, 0))::float8 as bytes,
           case when s.id is null then nullif(c.reltuples, -1)::float8 end as rows,
           pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid left join shards s on s.id = c.oid
     where i.inhparent = 'requests'::regclass order by c.relname desc`);
  return { bytes: size?.bytes ?? 0, tables: [...tables], partitions: [...partitions] };
}

const noShards = sql`select null::oid as id, null::numeric as bytes where false`;

/** Of workers that are away none: they are not counted. */
const shardsOfWorkers = sql`
  select table_name::oid as id, sum(shard_size) as bytes from citus_shards group by 1`;
