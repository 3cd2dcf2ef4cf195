// Every table of the schema, for what must not forget one.
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import * as schema from "./schema/index.ts";

/** By their names in the database. */
export const allTables: ReadonlyMap<string, PgTable> = new Map(
  Object.values(schema).flatMap((value: unknown) =>
    is(value, PgTable) ? [[getTableName(value), value] as const] : [],
  ),
);
