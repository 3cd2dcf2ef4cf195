// How long the secret from before a rotation works: until its grace period ends, whether the cache reads
// the key or remembers it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Connection, connectDatabase, openListener } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type ApiKeyCache, openApiKeyCache } from "../cache/api-key-cache.ts";
import { endPreviousSecret, rotateApiKey } from "./change-api-key.ts";
import { mintApiKey } from "./mint-api-key.ts";

const log = createLog({ level: "silent", name: "test" });
const graceSeconds = 3_600;
let database: TestDatabase;
let connection: Connection;
let people = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** An API-key cache whose memory never ages, so that only the grace period can end a secret. */
async function withApiKeyCache(use: (apiKeyCache: ApiKeyCache) => Promise<void>): Promise<void> {
  const { db } = connection;
  const listener = openListener({ url: database.url });
  const apiKeyCache = await openApiKeyCache({
    db,
    listener,
    log,
    nowMs: () => 1_000,
  });
  try {
    await use(apiKeyCache);
  } finally {
    await apiKeyCache.close();
    await listener.close();
  }
}

async function newRotatedKey(grace = graceSeconds) {
  people += 1;
  const { accountId } = await createAccount(connection.db, { email: `r${people}@example.com` });
  const input = { accountId, createdBy: undefined, name: "app" };
  const { id, key: before } = await mintApiKey(connection.db, input);
  const owner = { accountId, id };
  const { key: after } = await rotateApiKey(connection.db, owner, grace);
  return { owner, id, before, after };
}

async function codeOf(apiKeyCache: ApiKeyCache, key: string): Promise<string> {
  try {
    await apiKeyCache.authenticate(key);
    return "identified";
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.code;
    throw thrown;
  }
}

test("a rotated secret works during its grace period and is refused afterwards", async () => {
  const { id, before, after } = await newRotatedKey();
  await withApiKeyCache(async (apiKeyCache) => {
    expect(await codeOf(apiKeyCache, before)).toBe("identified");
    expect(await codeOf(apiKeyCache, after)).toBe("identified");
  });
  await connection.sql`update api_keys set previous_until = now() where id = ${id}`;
  await withApiKeyCache(async (apiKeyCache) => {
    expect(await codeOf(apiKeyCache, before)).toBe("invalid_api_key");
    expect(await codeOf(apiKeyCache, after)).toBe("identified");
  });
});

test("the grace period ends on time even for a secret that the cache remembers", async () => {
  const { id, before } = await newRotatedKey();
  await withApiKeyCache(async (apiKeyCache) => {
    const soon = secondsFromNow(1);
    await connection.sql`update api_keys set previous_until = ${soon.toISOString()} where id = ${id}`;
    while ((await codeOf(apiKeyCache, before)) === "identified") await Bun.sleep(10);
    expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime());
  });
});

test("the grace period has the requested length, and 0 ends the old secret immediately", async () => {
  const { id } = await newRotatedKey();
  const [row] = await connection.sql<{ seconds: number }[]>`
    select extract(epoch from previous_until - changed_at)::float8 as seconds
      from api_keys where id = ${id}`;
  expect(row?.seconds).toBeCloseTo(graceSeconds, 0);
  const { before, after } = await newRotatedKey(0);
  await withApiKeyCache(async (apiKeyCache) => {
    expect(await codeOf(apiKeyCache, before)).toBe("invalid_api_key");
    expect(await codeOf(apiKeyCache, after)).toBe("identified");
  });
});

test("while the previous secret still works another rotation is refused; afterwards it is allowed", async () => {
  const { owner, before } = await newRotatedKey();
  const again = rotateApiKey(connection.db, owner, graceSeconds);
  await expect(again).rejects.toMatchObject({ code: "conflict" });
  await endPreviousSecret(connection.db, owner);
  await withApiKeyCache(async (apiKeyCache) => {
    expect(await codeOf(apiKeyCache, before)).toBe("invalid_api_key");
  });
  await rotateApiKey(connection.db, owner, graceSeconds);
});

function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1_000);
}
