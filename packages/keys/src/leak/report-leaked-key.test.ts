// What a report of leaked keys costs: a transaction for each key that works, and none for one that was invented.
import { afterAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { connectDatabase, guardTransactions } from "@turnpike/db";
import { createTestDatabase, patientLimits } from "@turnpike/testing";
import { sql } from "drizzle-orm";
import { makeApiKeyText } from "../api-key/api-key-format.ts";
import { listApiKeys } from "../api-key/list-api-keys.ts";
import { mintApiKey } from "../api-key/mint-api-key.ts";
import { reportLeakedKeys } from "./report-leaked-key.ts";

const database = await createTestDatabase();
const { db, close } = connectDatabase({ url: database.url, ...patientLimits });
afterAll(async () => {
  await close();
  await database.drop();
});

const { accountId, personId } = await createAccount(db, { email: "leak@example.com" });
const mint = (name: string) => mintApiKey(db, { accountId, createdBy: personId, name });
const options = { publicUrl: "http://console.test" };
const reportOf = (text: string) =>
  ({ text, foundAt: null, seenIn: "public", address: "203.0.113.7" }) as const;

/** Reports them, counts the transactions, and calls `began` at the beginning of each. */
async function report(texts: readonly string[], signal?: AbortSignal, began = () => undefined) {
  let transactions = 0;
  const counted = guardTransactions(db, {
    async check() {
      transactions += 1;
      began();
    },
  });
  await reportLeakedKeys(counted, options, texts.map(reportOf), signal);
  return transactions;
}

const revokedNames = async () =>
  (await listApiKeys(db, accountId))
    .filter(({ revokedAt }) => revokedAt !== null)
    .map(({ name }) => name)
    .sort();

test("a thousand invented keys take no transaction, and a key among them takes one", async () => {
  const invented = Array.from({ length: 999 }, makeApiKeyText);
  expect(await report(invented)).toBe(0);
  const { key } = await mint("leaked");
  expect(await report([...invented, key])).toBe(1);
  expect(await report([key])).toBe(0);
  expect(await revokedNames()).toEqual(["leaked"]);
});

test("who reports and leaves ends the work between two keys", async () => {
  const [first, second] = [await mint("first"), await mint("second")];
  const client = new AbortController();
  const leave = () => void client.abort();
  expect(await report([first.key, second.key], client.signal, leave)).toBe(1);
  expect(await revokedNames()).toEqual(["first", "leaked"]);
  expect(await report([second.key], client.signal)).toBe(0);
});

test("a key whose report fails keeps no other from being revoked", async () => {
  const [locked, other] = [await mint("locked"), await mint("other")];
  const failing = guardTransactions(db, {
    async check(tx) {
      if (isFirst) {
        isFirst = false;
        await tx.execute(sql`select 1 / 0`);
      }
    },
  });
  let isFirst = true;
  const reports = [locked, other].map(({ key }) => reportOf(key));
  await expect(reportLeakedKeys(failing, options, reports)).rejects.toThrow();
  expect(await revokedNames()).toEqual(expect.arrayContaining(["other"]));
  expect(await revokedNames()).not.toContain("locked");
});
