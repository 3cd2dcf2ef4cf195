// Which keys the cache admits, how rarely it queries the database, and how soon it notices a change.

import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setSystemTime,
  spyOn,
  test,
} from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { defaultProjectOf, Fault } from "@turnpike/base";
import { type Connection, connectDatabase, openListener } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { resumeAccount, suspendAccount } from "../account/suspend-account.ts";
import { makeApiKeyText } from "../api-key/api-key-format.ts";
import {
  endPreviousSecret,
  rotateApiKey,
  setApiKeyDisabled,
  updateApiKey,
} from "../api-key/change-api-key.ts";
import { mintApiKey } from "../api-key/mint-api-key.ts";
import { revokeApiKey } from "../api-key/revoke-api-key.ts";
import { notifyKeyChange } from "../changes/notify-key-change.ts";
import { noLimits } from "../limits/key-limits.ts";
import { type ApiKeyCache, openApiKeyCache } from "./api-key-cache.ts";

const log = createLog({ level: "silent", name: "test" });
let database: TestDatabase;
let connection: Connection;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
});
afterEach(async () => {
  setSystemTime();
  for (const close of closers.splice(0)) await close();
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** A separate instance: cache, pool, clock, and a count of its reads. */
async function openInstance() {
  const own = connectDatabase({ url: database.url });
  const { mock } = spyOn(own.sql, "unsafe");
  const reads = () => mock.calls.filter(([text]) => text.includes("load_keys(")).length;
  const clock = { ms: 1_000 };
  const listener = openListener({ url: database.url });
  const nowMs = () => clock.ms;
  const apiKeyCache = await openApiKeyCache({ db: own.db, listener, log, nowMs });
  closers.push(async () => {
    await apiKeyCache.close();
    await listener.close();
    await own.close();
  });
  return { apiKeyCache, reads, clock, own };
}

/** Generous, because a machine may be busy. */
const patienceMs = 30_000;

let people = 0;
async function newKey() {
  people += 1;
  const { accountId } = await createAccount(connection.db, { email: `k${people}@example.com` });
  const input = { accountId, createdBy: undefined, name: "app" };
  return { accountId, ...(await mintApiKey(connection.db, input)) };
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

/** Its clock stands still, so only a message or another read can change the answer. */
async function isAnswered(apiKeyCache: ApiKeyCache, key: string, code: string) {
  const deadline = performance.now() + patienceMs;
  while ((await codeOf(apiKeyCache, key)) !== code) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(5);
  }
  return true;
}

describe("authenticate", () => {
  test("a key is read once and then known, with its account and its limits", async () => {
    const { apiKeyCache, reads } = await openInstance();
    const minted = await newKey();
    const identified = await apiKeyCache.authenticate(minted.key);
    const { id, accountId } = minted;
    const shared = { projectId: defaultProjectOf(accountId), project: {}, account: {} };
    expect(identified).toEqual({ id, accountId, limits: {}, shared });
    for (let n = 0; n < 50; n += 1) await apiKeyCache.authenticate(minted.key);
    expect(reads()).toBe(1);
  });

  test("concurrent misses share one query, whether for one key or for many", async () => {
    const { apiKeyCache, reads } = await openInstance();
    const minted = await Promise.all(Array.from({ length: 20 }, newKey));
    const presented = minted.flatMap(({ key }) => [key, key, key]);
    const identified = await Promise.all(presented.map((key) => apiKeyCache.authenticate(key)));
    expect(identified.map(({ id }) => id)).toEqual(minted.flatMap(({ id }) => [id, id, id]));
    expect(reads()).toBe(1);
  });

  test("a wrong checksum is refused without a query", async () => {
    const { apiKeyCache, reads } = await openInstance();
    const { key } = await newKey();
    const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
    for (const text of [mistyped, "", "sk-proj-x"]) {
      expect(await codeOf(apiKeyCache, text)).toBe("invalid_api_key");
    }
    expect(reads()).toBe(0);
  });

  test("an unknown key is looked up once in five seconds", async () => {
    const { apiKeyCache, reads, clock } = await openInstance();
    const invented = makeApiKeyText();
    for (let n = 0; n < 10; n += 1) {
      expect(await codeOf(apiKeyCache, invented)).toBe("invalid_api_key");
    }
    expect(reads()).toBe(1);
    clock.ms += 5_000;
    await codeOf(apiKeyCache, invented);
    expect(reads()).toBe(2);
  });

  test("no refusal repeats the key", async () => {
    const { apiKeyCache } = await openInstance();
    const invented = makeApiKeyText();
    const thrown = await apiKeyCache.authenticate(invented).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(Fault);
    expect(Bun.inspect(thrown)).not.toContain(invented.slice(6, 20));
  });

  test("an expired, a disabled and a rotated-out key are each refused with their own message", async () => {
    const { apiKeyCache } = await openInstance();
    const [expired, disabled, rotated, rotating] = [
      await newKey(),
      await newKey(),
      await newKey(),
      await newKey(),
    ];
    const sql = connection.sql;
    await sql`update api_keys set expires_at = now() - interval '1 s' where id = ${expired.id}`;
    await sql`update api_keys set disabled_at = now() where id = ${disabled.id}`;
    await sql`update api_keys set revoked_at = now() - interval '1 s' where id = ${rotated.id}`;
    await sql`update api_keys set revoked_at = now() + interval '1 h' where id = ${rotating.id}`;
    expect(await codeOf(apiKeyCache, expired.key)).toBe("key_expired");
    expect(await codeOf(apiKeyCache, disabled.key)).toBe("key_disabled");
    expect(await codeOf(apiKeyCache, rotated.key)).toBe("invalid_api_key");
    expect(await codeOf(apiKeyCache, rotating.key)).toBe("identified");
  });
});

test("an expiry and a revocation take effect at their time, not a millisecond later", async () => {
  const { apiKeyCache } = await openInstance();
  const [expiring, revoked] = [await newKey(), await newKey()];
  const at = new Date("2099-01-01T00:00:00.000Z");
  await connection.sql`update api_keys set expires_at = ${at.toISOString()} where id = ${expiring.id}`;
  await connection.sql`update api_keys set revoked_at = ${at.toISOString()} where id = ${revoked.id}`;
  const codes = async () => [
    await codeOf(apiKeyCache, expiring.key),
    await codeOf(apiKeyCache, revoked.key),
  ];
  await codes();
  setSystemTime(at.getTime() - 1);
  expect(await codes()).toEqual(["identified", "identified"]);
  setSystemTime(at);
  expect(await codes()).toEqual(["key_expired", "invalid_api_key"]);
});

describe("a change", () => {
  test("a revocation takes effect within a second on another instance", async () => {
    const [one, two] = [await openInstance(), await openInstance()];
    expect([one.apiKeyCache.mode(), two.apiKeyCache.mode()]).toEqual(["listening", "listening"]);
    const { id, key } = await newKey();
    await one.apiKeyCache.authenticate(key);
    await two.apiKeyCache.authenticate(key);
    await revokeApiKey(one.own.db, id);
    expect(await isAnswered(one.apiKeyCache, key, "invalid_api_key")).toBe(true);
    expect(await isAnswered(two.apiKeyCache, key, "invalid_api_key")).toBe(true);
  });

  test("new limits take effect within a second on another instance", async () => {
    const { apiKeyCache } = await openInstance();
    const { accountId, id, key } = await newKey();
    await apiKeyCache.authenticate(key);
    const limits = { ...noLimits, expiresAt: new Date(0) };
    await updateApiKey(connection.db, { accountId, id }, { limits });
    expect(await isAnswered(apiKeyCache, key, "key_expired")).toBe(true);
  });

  test("disabling a key and ending its previous secret take effect within a second on another instance", async () => {
    const { apiKeyCache } = await openInstance();
    const { key, ...owner } = await newKey();
    const rotated = await rotateApiKey(connection.db, owner, 3_600);
    await apiKeyCache.authenticate(key);
    await apiKeyCache.authenticate(rotated.key);
    await endPreviousSecret(connection.db, owner);
    expect(await isAnswered(apiKeyCache, key, "invalid_api_key")).toBe(true);
    expect(await codeOf(apiKeyCache, rotated.key)).toBe("identified");
    await setApiKeyDisabled(connection.db, owner, true);
    expect(await isAnswered(apiKeyCache, rotated.key, "key_disabled")).toBe(true);
    await setApiKeyDisabled(connection.db, owner, false);
    expect(await isAnswered(apiKeyCache, rotated.key, "identified")).toBe(true);
  });

  test("suspending an account stops all its keys within a second, resuming frees them", async () => {
    const { apiKeyCache } = await openInstance();
    const { accountId, key } = await newKey();
    const input = { accountId, createdBy: undefined, name: "second" };
    const second = await mintApiKey(connection.db, input);
    await apiKeyCache.authenticate(key);
    await apiKeyCache.authenticate(second.key);
    await suspendAccount(connection.db, accountId);
    expect(await isAnswered(apiKeyCache, key, "account_suspended")).toBe(true);
    expect(await isAnswered(apiKeyCache, second.key, "account_suspended")).toBe(true);
    await resumeAccount(connection.db, accountId);
    expect(await isAnswered(apiKeyCache, key, "identified")).toBe(true);
  });

  test("nothing older than ten seconds is trusted, even if no notification was sent", async () => {
    const { apiKeyCache, clock } = await openInstance();
    const { id, key } = await newKey();
    await apiKeyCache.authenticate(key);
    await connection.sql`update api_keys set revoked_at = now() where id = ${id}`;
    clock.ms += 6_999;
    expect(await codeOf(apiKeyCache, key)).toBe("identified");
    clock.ms += 3_001;
    expect(await codeOf(apiKeyCache, key)).toBe("invalid_api_key");
  });

  test("a key in use is read again before it is ten seconds old, without waiting for it", async () => {
    const { apiKeyCache, clock } = await openInstance();
    const { id, key } = await newKey();
    await apiKeyCache.authenticate(key);
    await connection.sql`update api_keys set revoked_at = now() where id = ${id}`;
    clock.ms += 8_000;
    expect(await codeOf(apiKeyCache, key)).toBe("identified");
    expect(await isAnswered(apiKeyCache, key, "invalid_api_key")).toBe(true);
  });

  test("a change announced while the key is being read keeps that result out of memory", async () => {
    const { apiKeyCache, reads } = await openInstance();
    const [reading, witness] = [await newKey(), await newKey()];
    await apiKeyCache.authenticate(witness.key);
    const locker = connectDatabase({ url: database.ownerUrl, max: 1 });
    closers.push(locker.close);
    const answers: Promise<unknown>[] = [];
    await locker.sql.begin(async (sql) => {
      await sql`lock table api_keys in access exclusive mode`;
      answers.push(apiKeyCache.authenticate(reading.key));
      await notifyKeyChange(connection.db, reading.id);
      await notifyKeyChange(connection.db, witness.id);
      // Once both messages have arrived, the witness is read again and has to wait.
      for (let known = true; known; ) {
        const again = apiKeyCache.authenticate(witness.key);
        answers.push(again);
        known = await Promise.race([again.then(() => true), Bun.sleep(20).then(() => false)]);
        await Bun.sleep(1);
      }
    });
    await Promise.all(answers);
    const before = reads();
    await apiKeyCache.authenticate(witness.key);
    expect(reads()).toBe(before);
    await apiKeyCache.authenticate(reading.key);
    expect(reads()).toBe(before + 1);
  });
});

describe("when the database is unreachable", () => {
  test("a known key is trusted for ten seconds and no longer", async () => {
    const { apiKeyCache, clock, own } = await openInstance();
    const { key } = await newKey();
    await apiKeyCache.authenticate(key);
    await own.close();
    clock.ms += 9_999;
    expect(await codeOf(apiKeyCache, key)).toBe("identified");
    clock.ms += 1;
    expect(await codeOf(apiKeyCache, key)).toBe("overloaded");
    expect(await codeOf(apiKeyCache, makeApiKeyText())).toBe("overloaded");
  });
});
