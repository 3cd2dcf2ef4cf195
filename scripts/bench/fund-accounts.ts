// The callers: accounts with money, each with one key.
import { createAccount } from "@turnpike/accounts";
import { connectDatabase, type Db, migrate } from "@turnpike/db";
import { mintApiKey } from "@turnpike/keys";
import { postMovement } from "@turnpike/ledger";
import { nanosPerUsd, toNanos } from "@turnpike/terms";

export const fundedNanos = toNanos(1_000n * nanosPerUsd);

/** Migrates, then creates `count` accounts of 1,000 USD; returns their keys. */
export async function fundAccounts(ownerUrl: string, count: number): Promise<readonly string[]> {
  await migrate({ url: ownerUrl });
  const connection = connectDatabase({ url: ownerUrl, max: 4, applicationName: "turnpike bench" });
  try {
    const numbers = Array.from({ length: count }, (_, index) => index);
    return await Promise.all(numbers.map((number) => fundAccount(connection.db, number)));
  } finally {
    await connection.close();
  }
}

async function fundAccount(db: Db, number: number): Promise<string> {
  const account = await createAccount(db, { email: `bench-${number}@turnpike.local` });
  await postMovement(db, {
    accountId: account.accountId,
    amountNanos: fundedNanos,
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: `bench:${number}`,
    reason: "Benchmark",
    actor: "bench",
  });
  const { key } = await mintApiKey(db, {
    accountId: account.accountId,
    createdBy: account.personId,
    name: "Benchmark",
  });
  return key;
}
