// How large the tables of the database are, for operators; requests by partition. From PostgreSQL's own statistics: no
// row is read.
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
export async function readDatabaseSize(db: Db): Promise<DatabaseSize> {
  const [size] = await db.execute<{ bytes: number }>(sql`
    select pg_database_size(current_database())::float8 as bytes`);
  const tables = await db.execute<TableRow>(sql`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes,
           nullif(reltuples, -1)::float8 as rows
      from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
     order by 2 desc, 1`);
  const partitions = await db.execute<PartitionRow>(sql`
    select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes,
           nullif(c.reltuples, -1)::float8 as rows, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'requests'::regclass order by c.relname desc`);
  return { bytes: size?.bytes ?? 0, tables: [...tables], partitions: [...partitions] };
}
