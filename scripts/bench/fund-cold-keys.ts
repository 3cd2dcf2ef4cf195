// Keys that no process has seen yet: spread over the funded accounts, inserted in bulk.

import { type ApiKeyId, newId } from "@turnpike/base";
import { accounts, apiKeys, connectDatabase } from "@turnpike/db";
import { hashApiKey, makeApiKeyText, maskApiKey } from "@turnpike/keys";
import { like } from "drizzle-orm";

const batch = 500;
const insertTimeoutMs = 120_000;

/** Creates `count` keys; returns a function that returns them in turn, repeatedly. */
export async function fundColdKeys(ownerUrl: string, count: number): Promise<() => string> {
  const connection = connectDatabase({
    url: ownerUrl,
    max: 1,
    applicationName: "turnpike bench",
    statementTimeoutMs: insertTimeoutMs,
  });
  const keys = Array.from({ length: count }, makeApiKeyText);
  try {
    const { db } = connection;
    const funded = await db
      .select({ id: accounts.id })
      .from(accounts)
      .where(like(accounts.name, "bench-%"));
    const accountIds = funded.map(({ id }) => id);
    for (let from = 0; from < count; from += batch) {
      await db.insert(apiKeys).values(
        keys.slice(from, from + batch).flatMap((key, index) => {
          const accountId = accountIds[index % accountIds.length];
          if (accountId === undefined) return [];
          const hash = Buffer.from(hashApiKey(key), "hex");
          return [
            { id: newId<ApiKeyId>(), accountId, name: "Cold", hash, masked: maskApiKey(key) },
          ];
        }),
      );
    }
  } finally {
    await connection.close();
  }
  let next = 0;
  return () => {
    next += 1;
    return keys[next % count] ?? "";
  };
}
