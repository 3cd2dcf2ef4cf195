import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { type Connection, connectDatabase, prices } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { asc, eq, sql } from "drizzle-orm";
import { applyCatalog } from "./apply-catalog.ts";
import { readCatalog } from "./file/read-catalog.ts";
import { withSandboxModels } from "./file/sandbox-models.ts";
import { priceOfRoute } from "./find-model.ts";
import type { Catalog, CatalogFile } from "./model.ts";
import { queryPriceHistory } from "./price-versions.ts";

let database: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

let modelId = "";
beforeEach(() => {
  modelId = `test/${Bun.randomUUIDv7()}`;
});

function fileWith(input: string, id = modelId): CatalogFile {
  return readCatalog(
    `
providers: [{ id: mine, baseUrl: "https://llm.example.com/v1" }]
models:
  - id: ${id}
    contextTokens: 1000
    maxOutputTokens: 100
    routes: [{ provider: mine, model: m }]
    prices: { input: "${input}", cacheWrite: "9", output: "2" }
`,
    {},
    { allowPrivate: false },
  );
}

function historyOf(id: string) {
  return connection.db
    .select({ id: prices.id, inputNanos: prices.inputNanos, since: prices.since })
    .from(prices)
    .where(eq(prices.model, id))
    .orderBy(asc(prices.since));
}

test("the live catalog names the price version of each model, in the order of the file", async () => {
  const file = withSandboxModels(fileWith("1"), "http://127.0.0.1:1/v1");
  const catalog = await applyCatalog(connection.db, file);
  expect([...catalog.models.keys()]).toEqual(file.models.map((model) => model.id));
  const [row] = await historyOf(modelId);
  if (!row) throw new Error("no price was appended");
  expect(catalog.models.get(modelId)?.price).toEqual({
    id: row.id,
    since: row.since,
    inputNanosPerMillion: 1_000_000_000n,
    cachedInputNanosPerMillion: 1_000_000_000n,
    cacheWriteNanosPerMillion: 9_000_000_000n,
    outputNanosPerMillion: 2_000_000_000n,
  });
});

test("the same file twice appends nothing and keeps the version", async () => {
  const first = await applyCatalog(connection.db, fileWith("1"));
  const second = await applyCatalog(connection.db, fileWith("1"));
  expect(second).toEqual(first);
  expect(await historyOf(modelId)).toHaveLength(1);
});

test("a changed price is a new version beside the old one, and so is a return to it", async () => {
  const versions: (string | undefined)[] = [];
  for (const input of ["1", "2", "1"]) {
    const catalog = await applyCatalog(connection.db, fileWith(input));
    versions.push(catalog.models.get(modelId)?.price.id);
  }
  const history = await historyOf(modelId);
  expect(history.map((row) => row.inputNanos / 1_000_000_000n)).toEqual([1n, 2n, 1n]);
  expect(history.map((row) => row.id)).toEqual(
    versions.map((id) => expect.stringMatching(id ?? "")),
  );
  expect(new Set(versions).size).toBe(3);
});

/** Acts as an instance that has locked the price list while others wait for it. */
async function applyBehindAnother(
  files: readonly CatalogFile[],
  meanwhile: () => Promise<void>,
): Promise<Catalog[]> {
  const others = files.map(() => connectDatabase({ url: database.url, max: 1 }));
  try {
    const applied = await connection.sql.begin(async (busy) => {
      await busy`select pg_advisory_xact_lock(hashtext('turnpike.catalog'))`;
      const started = files.map((file, index) =>
        applyCatalog(others[index]?.db ?? connection.db, file),
      );
      await everyOneWaits(files.length);
      await meanwhile();
      return { started };
    });
    return await Promise.all(applied.started);
  } finally {
    await Promise.all(others.map((other) => other.close()));
  }
}

async function everyOneWaits(count: number): Promise<void> {
  for (let asked = 0; asked < 5_000; asked += 1) {
    const [row] = await connection.sql`
      select count(*)::int as waiting from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    if (row?.waiting === count) return;
  }
  throw new Error(`${count} instances were to wait for the price list, but did not`);
}

test("instances that apply the same file concurrently append its price once and agree on it", async () => {
  const files = Array.from({ length: 6 }, () => fileWith("3"));
  const catalogs = await applyBehindAnother(files, async () => undefined);
  expect(await historyOf(modelId)).toHaveLength(1);
  expect(new Set(catalogs.map((catalog) => catalog.models.get(modelId)?.price.id)).size).toBe(1);
});

test("an instance that waited for another one writes the newer version, not an older one", async () => {
  const [catalog] = await applyBehindAnother([fileWith("3")], async () => {
    const nanos = toNanos(2_000_000_000n);
    const rates = { inputNanos: nanos, cachedInputNanos: nanos, cacheWriteNanos: nanos };
    const id = newId<PriceId>();
    await connection.db
      .insert(prices)
      .values({ ...rates, id, model: modelId, outputNanos: nanos, since: sql`clock_timestamp()` });
  });
  const history = await historyOf(modelId);
  expect(history.map((row) => row.inputNanos / 1_000_000_000n)).toEqual([2n, 3n]);
  expect(history[1]?.id).toBe(catalog?.models.get(modelId)?.price.id);
});

test("a file without models is a catalog without models", async () => {
  const catalog = await applyCatalog(connection.db, {
    version: "empty",
    models: [],
    hidden: [],
    hiddenRoutes: [],
    credentialFiles: new Map(),
    unknownFields: [],
  });
  expect(catalog.models.size).toBe(0);
});

function fileWithRoutes(prices: string): CatalogFile {
  return readCatalog(
    `
providers:
  - { id: one, baseUrl: "https://one.example.com/v1" }
  - { id: two, baseUrl: "https://two.example.com/v1" }
models:
  - id: ${modelId}
    contextTokens: 1000
    maxOutputTokens: 100
    routes: [{ provider: one, model: m }, { provider: two, model: m, prices: ${prices} }]
    prices: { input: "1", output: "2" }
`,
    {},
    { allowPrivate: false },
  );
}

test("a route with its own price has its own versions; the others have the model's", async () => {
  const first = await applyCatalog(connection.db, fileWithRoutes('{ input: "3", output: "4" }'));
  const second = await applyCatalog(connection.db, fileWithRoutes('{ input: "5", output: "4" }'));
  const [before, after] = [first.models.get(modelId), second.models.get(modelId)];
  if (before === undefined || after === undefined) throw new Error("no model");
  expect(after.price).toEqual(before.price);
  expect(after.routes.map(({ price }) => price?.inputNanosPerMillion)).toEqual([
    undefined,
    5_000_000_000n,
  ]);
  expect(after.routes[1]?.price?.id).not.toBe(before.routes[1]?.price?.id);
  expect(priceOfRoute(after, after.routes[0])).toBe(after.price);
  expect(await historyOf(modelId)).toHaveLength(3);
  // The console shows only the model's own price.
  expect(await queryPriceHistory(connection.db, modelId)).toEqual([after.price]);
});

test("each service tier has its own price versions, which a change elsewhere keeps", async () => {
  const [provider, id] = [`https://llm.example.com/v1`, modelId];
  const apply = (standard: string, flex: string | undefined) =>
    applyCatalog(
      connection.db,
      readCatalog(
        `
providers: [{ id: mine, baseUrl: "${provider}" }]
models:
  - id: ${id}
    contextTokens: 1000
    maxOutputTokens: 100
    routes: [{ provider: mine, model: m }]
    prices:
      input: "${standard}"
      output: "2"
${flex === undefined ? "" : `      tiers: { flex: { input: "${flex}", output: "1" } }`}
`,
        {},
        { allowPrivate: false },
      ),
    );
  const first = (await apply("1", "0.5")).models.get(id)?.price;
  expect(first?.tiers?.flex).toMatchObject({ inputNanosPerMillion: 500_000_000n });
  expect(first?.tiers?.priority).toBeUndefined();
  expect(first?.tiers?.flex?.id).not.toBe(first?.id);
  const raised = (await apply("3", "0.5")).models.get(id)?.price;
  expect(raised?.id).not.toBe(first?.id);
  expect(raised?.tiers?.flex).toEqual(first?.tiers?.flex);
  const cheaper = (await apply("3", "0.25")).models.get(id)?.price;
  expect(cheaper?.id).toBe(raised?.id);
  expect(cheaper?.tiers?.flex?.id).not.toBe(first?.tiers?.flex?.id);
  expect((await apply("3", undefined)).models.get(id)?.price.tiers).toBeUndefined();
  // The history shown for a model is that of its standard prices.
  expect(await queryPriceHistory(connection.db, id)).toHaveLength(2);
  expect(await historyOf(id)).toHaveLength(4);
});

test("prices of long prompts have versions of their own, which a change elsewhere keeps", async () => {
  const id = modelId;
  const apply = (short: string, long: string) =>
    applyCatalog(
      connection.db,
      readCatalog(
        `
providers: [{ id: mine, baseUrl: "https://llm.example.com/v1" }]
models:
  - id: ${id}
    contextTokens: 1000
    maxOutputTokens: 100
    routes: [{ provider: mine, model: m }]
    prices:
      input: "${short}"
      output: "2"
      longPrompts: [{ above: 200, input: "${long}", output: "4" }]
      tiers: { flex: { input: "1", output: "1", longPrompts: [{ above: 300, input: "2", output: "2" }] } }
`,
        {},
        { allowPrivate: false },
      ),
    );
  const first = (await apply("1", "3")).models.get(id)?.price;
  expect(first?.longPrompts).toMatchObject([
    { aboveTokens: 200, inputNanosPerMillion: 3_000_000_000n },
  ]);
  expect(first?.tiers?.flex?.longPrompts).toMatchObject([{ aboveTokens: 300 }]);
  expect(first?.longPrompts?.[0]?.id).not.toBe(first?.id);
  expect((await apply("1", "3")).models.get(id)?.price).toEqual(first);
  const raised = (await apply("2", "3")).models.get(id)?.price;
  expect(raised?.id).not.toBe(first?.id);
  expect(raised?.longPrompts).toEqual(first?.longPrompts);
  const longer = (await apply("2", "5")).models.get(id)?.price;
  expect(longer?.id).toBe(raised?.id);
  expect(longer?.longPrompts?.[0]?.id).not.toBe(first?.longPrompts?.[0]?.id);
  expect(await queryPriceHistory(connection.db, id)).toHaveLength(2);
  expect(await historyOf(id)).toHaveLength(6);
});
