// One thing that was found: what it is, whose it is, and a line to recognize it by.
import type { AccountId } from "@turnpike/base";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

export const foundKinds = ["account", "key", "call", "top_up", "movement", "event"] as const;

export type Found = {
  readonly kind: (typeof foundKinds)[number];
  readonly id: string;
  /** Null where it belongs to no account that is known. */
  readonly accountId: AccountId | null;
  readonly title: string;
  readonly detail: string;
};

/** Of each kind. */
export const foundMax = 20;

/** By an index with `text_pattern_ops`. */
export function begins(column: SQLWrapper, text: string): SQL {
  return sql`${column} like ${`${text.replaceAll(/[\\%_]/g, "\\$&")}%`}`;
}
