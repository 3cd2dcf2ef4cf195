// Where a text is in a database: in every column of every table, whatever its type, also as the hexadecimal or
// base64 text that bytes are shown as.
import type { Sql } from "@turnpike/db";

/** `table.column` of every place. */
export async function findText(sql: Sql, text: string): Promise<readonly string[]> {
  const columns = await sql<{ schema: string; table: string; column: string; type: string }[]>`
    select c.table_schema as schema, c.table_name as table, c.column_name as column,
           c.data_type as type
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where c.table_schema not in ('pg_catalog', 'information_schema')
       and t.table_type = 'BASE TABLE'`;
  const hex = Buffer.from(text).toString("hex");
  const found: string[] = [];
  for (const { schema, table, column, type } of columns) {
    const name = sql(column);
    // Bytes are written as hexadecimal digits by the cast.
    const needle = type === "bytea" ? hex : text;
    const [row] = await sql<{ rows: number }[]>`
      select count(*)::int as rows from ${sql(schema)}.${sql(table)}
       where position(${needle} in ${name}::text) > 0
          or position(${hex} in ${name}::text) > 0`;
    if ((row?.rows ?? 0) > 0) found.push(`${table}.${column}`);
  }
  return found;
}
