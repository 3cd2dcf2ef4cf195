// Makes a catalogue file live, and tells the other instances which version is in force. A price row is appended only where a model's rates differ from its
// newest row, none is ever edited, and two instances that apply the same file append it once.

import { newId, type PriceId, toNanos } from "@turnpike/base";
import { appliedCatalogs, type Db, prices } from "@turnpike/db";
import { desc, eq, inArray, sql } from "drizzle-orm";
import type { Catalog, CatalogFile, Model, ModelEntry, Price, Rates } from "./model.ts";

type Transaction = Parameters<Parameters<Db["transaction"]>[0]>[0];
type PricesByModel = ReadonlyMap<string, Price>;

/** The live catalogue, each model with the id of its current price version. */
export async function applyCatalog(db: Db, file: CatalogFile): Promise<Catalog> {
  const versions = await db.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('turnpike.catalog'))`);
    const newest = await readNewest(transaction, file.models);
    await recordVersion(transaction, file.version);
    const changed = file.models.filter(({ id, rates }) => !isSameRates(newest.get(id), rates));
    return new Map([...newest, ...(await append(transaction, changed))]);
  });
  await db.execute(sql`select pg_notify(${catalogChannel}, ${file.version})`);
  const models = new Map<string, Model>();
  for (const entry of file.models) {
    const price = versions.get(entry.id);
    if (!price) throw new Error(`no price version of ${entry.id} after it was applied`);
    models.set(entry.id, priced(entry, price));
  }
  return { version: file.version, models };
}

function priced(entry: ModelEntry, price: Price): Model {
  if (entry.operation === "embeddings") {
    const { rates: _, ...same } = entry;
    return { ...same, price };
  }
  const { rates: _, ...same } = entry;
  return { ...same, price };
}

/** The channel on which an applied version is announced. */
export const catalogChannel = "catalog";

/** The version applied last, by any instance or operator; undefined before the first time. */
export async function readAppliedVersion(db: Db): Promise<string | undefined> {
  const [newest] = await db
    .select({ version: appliedCatalogs.version })
    .from(appliedCatalogs)
    .orderBy(desc(appliedCatalogs.id))
    .limit(1);
  return newest?.version;
}

async function recordVersion(transaction: Transaction, version: string): Promise<void> {
  if ((await readAppliedVersion(transaction)) === version) return;
  await transaction.insert(appliedCatalogs).values({ version });
}

const columns = {
  id: prices.id,
  model: prices.model,
  inputNanos: prices.inputNanos,
  cachedInputNanos: prices.cachedInputNanos,
  cacheWriteNanos: prices.cacheWriteNanos,
  outputNanos: prices.outputNanos,
  since: prices.since,
};

type PriceRow = Pick<typeof prices.$inferSelect, keyof typeof columns>;

async function readNewest(
  transaction: Transaction,
  models: readonly ModelEntry[],
): Promise<PricesByModel> {
  if (models.length === 0) return new Map();
  const ids = models.map((model) => model.id);
  const rows = await transaction
    .selectDistinctOn([prices.model], columns)
    .from(prices)
    .where(inArray(prices.model, ids))
    .orderBy(prices.model, desc(prices.since), desc(prices.id));
  return byModel(rows);
}

async function append(
  transaction: Transaction,
  models: readonly ModelEntry[],
): Promise<PricesByModel> {
  if (models.length === 0) return new Map();
  const values = models.map(({ id, rates }) => ({
    id: newId<PriceId>(),
    model: id,
    inputNanos: toNanos(rates.inputNanosPerMillion),
    cachedInputNanos: toNanos(rates.cachedInputNanosPerMillion),
    cacheWriteNanos: toNanos(rates.cacheWriteNanosPerMillion),
    outputNanos: toNanos(rates.outputNanosPerMillion),
    // Not now(): that is when the transaction began, before it waited for the one it follows.
    since: sql`clock_timestamp()`,
  }));
  return byModel(await transaction.insert(prices).values(values).returning(columns));
}

function byModel(rows: readonly PriceRow[]): PricesByModel {
  return new Map(rows.map((row) => [row.model, readPrice(row)]));
}

function readPrice(row: PriceRow): Price {
  return {
    id: row.id,
    since: row.since,
    inputNanosPerMillion: row.inputNanos,
    cachedInputNanosPerMillion: row.cachedInputNanos,
    cacheWriteNanosPerMillion: row.cacheWriteNanos,
    outputNanosPerMillion: row.outputNanos,
  };
}

function isSameRates(a: Rates | undefined, b: Rates): boolean {
  return (
    a !== undefined &&
    a.inputNanosPerMillion === b.inputNanosPerMillion &&
    a.cachedInputNanosPerMillion === b.cachedInputNanosPerMillion &&
    a.cacheWriteNanosPerMillion === b.cacheWriteNanosPerMillion &&
    a.outputNanosPerMillion === b.outputNanosPerMillion
  );
}

/** Every price a model ever had, newest first. */
export async function readPriceHistory(db: Db, modelId: string): Promise<Price[]> {
  const rows = await db
    .select(columns)
    .from(prices)
    .where(eq(prices.model, modelId))
    .orderBy(desc(prices.since), desc(prices.id));
  return rows.map(readPrice);
}
