// Everything that a migration makes, as lines of text, so that two databases can be compared: columns, constraints,
// indexes, triggers, views, functions and rights. Names of monthly partitions, which depend on the day, are left out.
import type { Sql } from "./connect.ts";

/** Validation state and start times differ between databases of the same schema. */
const incidental = / NOT VALID|to_timestamp\([\d.]+\)|timestamptz '-infinity'/g;

export async function describeSchema(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ line: string }[]>`
    with tables as (
      select oid, oid::regclass::text as name, relkind, reloptions, relacl from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
         and relname !~ '^requests_\\d{4}_\\d{2}$')
    select concat_ws(' ', 'table', name, relkind, reloptions, relacl) as line from tables
    union all
    select concat_ws(' ', 'column', t.name, row_number() over (partition by t.oid order by a.attnum), a.attname,
             format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attstorage, a.attacl,
             (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = t.oid and adnum = a.attnum))
      from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    union all
    select concat_ws(' ', 'constraint', t.name, c.conname, pg_get_constraintdef(c.oid))
      from tables t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n'
    union all
    select pg_get_indexdef(i.indexrelid) from tables t join pg_index i on i.indrelid = t.oid
    union all
    select pg_get_triggerdef(g.oid) from tables t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
    union all
    select concat_ws(' ', 'view', name, pg_get_viewdef(oid)) from tables where relkind = 'v'
    union all
    select concat_ws(' ', pg_get_functiondef(oid), proacl) from pg_proc
     where pronamespace = 'public'::regnamespace and prokind = 'f'
     order by 1`;
  return rows.map(({ line }) => line.replaceAll(incidental, ""));
}
