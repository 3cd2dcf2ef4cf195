// How far the incremental checker has verified the books, so that its next run reads only what is
// newer.
import type { AccountId } from "@turnpike/base";
import { pgTable } from "drizzle-orm/pg-core";
import { idColumn, instant, nanosColumn } from "./columns.ts";

/** One row per account it found right; that of the nil account represents the books as a whole. */
export const bookChecks = pgTable("book_checks", {
  accountId: idColumn<AccountId>("account_id").primaryKey(),
  /** Everything older is verified. */
  through: instant("through").notNull(),
  /** Sum of the account's entries whose transaction id is older than `through`. */
  balanceNanos: nanosColumn("balance_nanos").notNull(),
});
