// The price history on a public page: not read again by each visitor, and never older than the catalog in force.
import { afterAll, expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import type { Catalog } from "@turnpike/catalog";
import { connectDatabase, prices } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { createTestDatabase } from "@turnpike/testing";
import { keepPriceHistory } from "./keep-price-history.ts";

const database = await createTestDatabase();
const { db, close } = connectDatabase({ url: database.ownerUrl, max: 1 });
afterAll(async () => {
  await close();
  await database.drop();
});

const model = "acme/large";
const newCatalog = (): Catalog => ({ version: "test", models: new Map() });

async function addPrice(inputNanos: bigint): Promise<void> {
  const input = toNanos(inputNanos);
  const rates = { inputNanos: input, cachedInputNanos: input, cacheWriteNanos: input };
  await db.insert(prices).values({ id: newId<PriceId>(), model, ...rates, outputNanos: input });
}

test("a changed price is in the history as soon as the catalog that changed it is in force", async () => {
  const before = newCatalog();
  await addPrice(1_000n);
  expect(await keepPriceHistory(db, before, model)).toHaveLength(1);
  await addPrice(2_000n);
  expect(await keepPriceHistory(db, before, model)).toHaveLength(1);
  const history = await keepPriceHistory(db, newCatalog(), model);
  expect(history.map(({ inputNanosPerMillion }) => inputNanosPerMillion)).toEqual([2_000n, 1_000n]);
});

test("a history that could not be read is read again by the next visitor", async () => {
  const catalog = newCatalog();
  const away = connectDatabase({ url: database.ownerUrl, max: 1 });
  await away.close();
  expect(await keepPriceHistory(away.db, catalog, model).catch(() => "failed")).toBe("failed");
  expect(await keepPriceHistory(db, catalog, model)).toHaveLength(2);
});
