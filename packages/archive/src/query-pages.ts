// Reads the rows of a table page by page in the order of its primary key, so that no statement takes long, however
// many rows there are.
import type { Db } from "@turnpike/db";
import { and, getTableColumns, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn } from "drizzle-orm/pg-core";
import { type ArchivedRow, type ArchivedTable, columnsOf } from "./archived-tables.ts";

/** Runs one read; the server decides when it is its turn. */
export type RunRead = <Result>(read: (db: Db) => Promise<Result>) => Promise<Result>;

/** At least one page, which may be empty. */
export async function* queryPages(
  read: RunRead,
  archived: ArchivedTable,
  pageRows: number,
): AsyncGenerator<readonly ArchivedRow[]> {
  const key = keyOf(archived);
  const shown = shownColumns(archived);
  const list = sql.join(
    [...shown, ...key.map((column, index) => sql`${column}::text as ${nameOfKey(index)}`)],
    sql`, `,
  );
  const order = sql.join(key, sql`, `);
  let after: SQL | undefined;
  for (;;) {
    const where = and(archived.where, after) ?? sql`true`;
    const rows: Record<string, unknown>[] = await read((db) =>
      db.execute(sql`select ${list} from ${archived.table} where ${where}
        order by ${order} limit ${pageRows}::int`),
    );
    const last = rows.at(-1);
    if (last !== undefined) after = behind(key, last);
    yield rows.map(withoutKey).map((row) => archived.show?.(row) ?? row);
    if (rows.length < pageRows) return;
  }
}

function keyOf({ table }: ArchivedTable): PgColumn[] {
  const columns = columnsOf(table);
  const [composite] = getTableConfig(table).primaryKeys;
  if (composite === undefined) return columns.filter(({ primary }) => primary);
  // Those of the configuration are stand-ins that do not know their type.
  return composite.columns.flatMap(({ name }) => columns.find((one) => one.name === name) ?? []);
}

/** By their names in the database. */
function shownColumns({ table, instead = {} }: ArchivedTable): SQL[] {
  return Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    if (name in instead) {
      const other = instead[name];
      return other === undefined ? [] : [sql`${other} as ${sql.identifier(column.name)}`];
    }
    return column.getSQLType() === "bytea" ? [] : [sql`${column}`];
  });
}

/** What no column is called. */
const keyPrefix = "__key_";
const nameOfKey = (index: number) => sql.identifier(`${keyPrefix}${index}`);

function behind(key: PgColumn[], last: ArchivedRow): SQL {
  const values = key.map((column, index) => {
    return sql`${String(last[`${keyPrefix}${index}`])}::${sql.raw(column.getSQLType())}`;
  });
  return sql`(${sql.join(key, sql`, `)}) > (${sql.join(values, sql`, `)})`;
}

function withoutKey(row: ArchivedRow): ArchivedRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith(keyPrefix)));
}
