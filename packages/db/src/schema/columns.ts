// Column kinds that carry Turnpike's own types: amounts as bigint nano-dollars, branded ids.
import type { AnyId } from "@turnpike/base";
import type { Nanos } from "@turnpike/terms";
import { type SQL, sql } from "drizzle-orm";
import { bigint, customType, timestamp, uuid } from "drizzle-orm/pg-core";

/** An amount in nano-dollars. */
export function nanosColumn(name: string) {
  return bigint(name, { mode: "bigint" }).$type<Nanos>();
}

export function idColumn<Kind extends AnyId>(name: string) {
  return uuid(name).$type<Kind>();
}

export function instant(name: string) {
  return timestamp(name, { withTimezone: true, mode: "date" });
}

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** For constraints: `('day', 'week')`. */
export function listed(words: readonly string[]): SQL {
  return sql.raw(`(${words.map((word) => `'${word}'`).join(", ")})`);
}
