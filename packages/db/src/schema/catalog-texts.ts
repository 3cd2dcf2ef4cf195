// The texts of the catalog that were applied at the desk, in a row: the newest is in force on every instance. Without any,
// or where the newest has no text, each instance reads its own file. Append-only by role.
import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

export const catalogTexts = pgTable("catalog_texts", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  /** The one that it replaced, 0 for the first: of two that replace the same one, the second is refused. */
  basedOn: bigint("based_on", { mode: "number" }).notNull().unique("catalog_texts_based_on"),
  /** Null: the files are in force again. */
  text: text("text"),
  /** Of the catalog, as `applied_catalogs` has it. */
  version: text("version").notNull(),
  appliedBy: text("applied_by").notNull(),
  reason: text("reason").notNull(),
  appliedAt: instant("applied_at").notNull().defaultNow(),
});
