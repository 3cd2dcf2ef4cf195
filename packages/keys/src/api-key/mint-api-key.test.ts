// Keys from creation to revocation as stored in the database, through the role the server runs as.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccount, findAccount } from "@turnpike/accounts";
import { type AccountId, type ApiKeyId, Fault, newId } from "@turnpike/base";
import { apiKeys, type Connection, connectDatabase } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { createTestDatabase, type TestDatabase, untilWaiting } from "@turnpike/testing";
import { eq } from "drizzle-orm";
import type { KeyLimits } from "../limits/key-limits.ts";
import { queryKeyLimits } from "../limits/store-key-limits.ts";
import { hashApiKey, isApiKeyText, maskApiKey } from "./api-key-format.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { mintApiKey } from "./mint-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

let database: TestDatabase;
let connection: Connection;
let owner: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
  owner = connectDatabase({ url: database.ownerUrl });
});
afterAll(async () => {
  await connection.close();
  await owner.close();
  await database.drop();
});

let people = 0;
function newAccount() {
  people += 1;
  return createAccount(connection.db, { email: `person-${people}@example.com` });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return thrown instanceof Fault ? thrown.code : `no fault: ${thrown}`;
}

describe("mintApiKey", () => {
  test("waits for a deletion of its account that is under way, and mints nothing then", async () => {
    const { accountId, personId } = await newAccount();
    const name = "too late";
    let minted: Promise<unknown> | undefined;
    await owner.sql.begin(async (sql) => {
      await sql`update accounts set closed_at = now() where id = ${accountId}`;
      minted = mintApiKey(connection.db, { accountId, createdBy: personId, name });
      minted.catch(() => undefined);
      await untilWaiting(owner.sql, { over: minted });
    });
    expect(await codeOf(Promise.resolve(minted))).toBe("conflict");
    expect(await owner.sql`select from api_keys where name = ${name}`).toHaveLength(0);
  });

  test("the key is returned once; the database has its hash and mask, never the key", async () => {
    const { accountId, personId } = await newAccount();
    const minted = await mintApiKey(connection.db, {
      accountId,
      createdBy: personId,
      name: " app ",
    });
    expect(isApiKeyText(minted.key)).toBe(true);
    const [row] = await connection.sql`
      select *, encode(hash, 'hex') as hex from api_keys where id = ${minted.id}`;
    expect(row).toMatchObject({
      name: "app",
      hex: hashApiKey(minted.key),
      masked: maskApiKey(minted.key),
      created_by: personId,
      revoked_at: null,
    });
    expect(JSON.stringify(row)).not.toContain(minted.key);
  });

  test("limits come back as they were set, and absent ones stay absent", async () => {
    const { accountId } = await newAccount();
    const limits: KeyLimits = {
      spendLimitNanos: {
        day: toNanos(1n),
        week: toNanos(20n),
        month: toNanos(300n),
        total: toNanos(9_000_000_000n),
      },
      requestsPerMinute: 60,
      tokensPerMinute: 90_000,
      concurrency: 7,
      allowedModels: ["openai/gpt-4o-mini"],
      allowedAddresses: ["10.0.0.0/8"],
      expiresAt: new Date("2030-01-01T00:00:00Z"),
    };
    const input = { accountId, createdBy: undefined, name: "limited" };
    const limitsOf = async (given: typeof input & { limits?: KeyLimits }) => {
      const { id } = await mintApiKey(connection.db, given);
      return queryKeyLimits(connection.db, eq(apiKeys.id, id));
    };
    expect(await limitsOf(input)).toEqual({ spendLimitNanos: {} });
    expect(await limitsOf({ ...input, limits })).toEqual(limits);
  });

  test("an empty or overlong name, a negative limit and an unknown account are refused", async () => {
    const { accountId } = await newAccount();
    const input = { accountId, createdBy: undefined, name: "k" };
    expect(await codeOf(mintApiKey(connection.db, { ...input, name: "  " }))).toBe("invalid_value");
    const endless = { ...input, name: "n".repeat(101) };
    expect(await codeOf(mintApiKey(connection.db, endless))).toBe("invalid_value");
    const money = ["day", "week", "month", "total"].map((period) => ({
      spendLimitNanos: { [period]: toNanos(-1n) },
    }));
    const rates = ["requestsPerMinute", "tokensPerMinute", "concurrency"].map((rate) => ({
      spendLimitNanos: {},
      [rate]: -1,
    }));
    for (const limits of [...money, ...rates]) {
      expect(await codeOf(mintApiKey(connection.db, { ...input, limits }))).toBe("invalid_value");
    }
    const nobodys = { ...input, accountId: newId<AccountId>() };
    expect(await codeOf(mintApiKey(connection.db, nobodys))).toBe("not_found");
    expect(await listApiKeys(connection.db, accountId)).toEqual([]);
  });

  test("an account has at most a hundred live keys; revoking one allows another", async () => {
    const { accountId } = await newAccount();
    const input = { accountId, createdBy: undefined, name: "k" };
    const minted = await mintApiKey(connection.db, input);
    for (let n = 1; n < 100; n += 1) await mintApiKey(connection.db, input);
    expect(await codeOf(mintApiKey(connection.db, input))).toBe("conflict");
    await revokeApiKey(connection.db, minted.id);
    await mintApiKey(connection.db, input);
    expect(await listApiKeys(connection.db, accountId)).toHaveLength(101);
  });

  test("an organization has at most a thousand live keys", async () => {
    const { accountId } = await newAccount();
    await owner.sql`update accounts set kind = 'organization' where id = ${accountId}`;
    const input = { accountId, createdBy: undefined, name: "k" };
    const { id } = await mintApiKey(connection.db, input);
    await owner.sql`
      insert into api_keys (id, account_id, name, hash, masked)
      select gen_random_uuid(), account_id, name, sha256(n::text::bytea), masked
        from api_keys, generate_series(1, 998) n where id = ${id}`;
    await mintApiKey(connection.db, input);
    expect(await codeOf(mintApiKey(connection.db, input))).toBe("conflict");
  });
});

describe("revokeApiKey", () => {
  test("revoking twice keeps the first time; an unknown key is not found", async () => {
    const { accountId } = await newAccount();
    const input = { accountId, createdBy: undefined, name: "k" };
    const { id } = await mintApiKey(connection.db, input);
    await revokeApiKey(connection.db, id);
    const [before] = await listApiKeys(connection.db, accountId);
    await revokeApiKey(connection.db, id);
    const [after] = await listApiKeys(connection.db, accountId);
    expect(before?.revokedAt).toBeInstanceOf(Date);
    expect(after?.revokedAt).toEqual(before?.revokedAt ?? null);
    expect(await codeOf(revokeApiKey(connection.db, newId<ApiKeyId>()))).toBe("not_found");
  });
});

describe("createAccount", () => {
  test("an address belongs to one person, however it is spelled, and a second attempt changes nothing", async () => {
    const created = await createAccount(connection.db, { email: " Ada@Example.com " });
    expect(await codeOf(createAccount(connection.db, { email: "ada@example.COM" }))).toBe(
      "conflict",
    );
    const found = await findAccount(connection.db, "ADA@example.com");
    expect(found).toMatchObject({
      id: created.accountId,
      personId: created.personId,
      email: "ada@example.com",
      emailVerifiedAt: null,
      balanceNanos: 0n,
    });
    const [counted] = await connection.sql`
      select count(*)::int as accounts from accounts where name = 'ada@example.com'`;
    expect(counted).toEqual({ accounts: 1 });
  });

  test("text that is not an address, or is too long for one, creates no account", async () => {
    for (const email of ["", "ada", "ada@", "a b@example.com", `${"a".repeat(250)}@b.cd`]) {
      expect(await codeOf(createAccount(connection.db, { email }))).toBe("invalid_value");
    }
  });
});
