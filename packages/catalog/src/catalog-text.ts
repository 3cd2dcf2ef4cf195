// The catalog as operators edit it: texts in the database, of which the newest is in force on every instance. Where there
// is no text, each instance reads its own file.
import { Fault } from "@turnpike/base";
import { catalogTexts, type Db, errorCodeOf } from "@turnpike/db";
import { desc, eq } from "drizzle-orm";

export type CatalogText = Pick<typeof catalogTexts.$inferSelect, "id" | "text" | "version">;

/** Undefined before anything was edited; a null `text` means that the files are in force again. */
export async function queryNewestText(db: Db): Promise<CatalogText | undefined> {
  const { id, text, version } = catalogTexts;
  const [newest] = await db
    .select({ id, text, version })
    .from(catalogTexts)
    .orderBy(desc(catalogTexts.id))
    .limit(1);
  return newest;
}

export async function queryText(db: Db, id: number): Promise<CatalogText | undefined> {
  const { text, version } = catalogTexts;
  const [found] = await db
    .select({ id: catalogTexts.id, text, version })
    .from(catalogTexts)
    .where(eq(catalogTexts.id, id));
  return found;
}

const uniqueViolation = "23505";

/** Call it in the transaction that applies the text. Throws `conflict` where `basedOn` is not the newest. */
export async function storeText(
  tx: Db,
  {
    basedOn,
    ...row
  }: Omit<typeof catalogTexts.$inferInsert, "basedOn" | "appliedAt"> & {
    /** Undefined: whatever is the newest. */
    readonly basedOn: number | undefined;
  },
): Promise<number> {
  const newest = (await queryNewestText(tx))?.id ?? 0;
  if (basedOn !== undefined && basedOn !== newest) throw replacedMeanwhile();
  try {
    const [stored] = await tx
      .insert(catalogTexts)
      .values({ ...row, basedOn: newest })
      .returning({ id: catalogTexts.id });
    if (stored === undefined) throw new Error("the insert returned no row");
    return stored.id;
  } catch (error) {
    throw errorCodeOf(error) === uniqueViolation ? replacedMeanwhile() : error;
  }
}

function replacedMeanwhile(): Fault {
  return new Fault(
    "conflict",
    "Somebody applied another catalog meanwhile. Load the newest one, and make your changes in it.",
    { param: "basedOn" },
  );
}
