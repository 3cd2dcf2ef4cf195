// Seeds a development database with what a first call needs: a verified person, an account with $5 and an
// API key. Running it again changes nothing that still exists.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createAccount, findAccount } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { connectDatabase, type Db, persons } from "@turnpike/db";
import { listApiKeys, mintApiKey } from "@turnpike/keys";
import { postMovement } from "@turnpike/ledger";
import { nanosPerUsd, toNanos } from "@turnpike/terms";
import { eq } from "drizzle-orm";
import { writePrivateFile } from "./write-private-file.ts";

export type Seeded = { email: string; password: string; apiKey: string };

const email = "dev@turnpike.local";
const password = "turnpike in development";
const welcomeUsd = 5n;

/** Remembers the key in `dataDir`, because the database keeps only its hash. */
export async function seed(databaseUrl: string, dataDir: string): Promise<Seeded> {
  const connection = connectDatabase({
    url: databaseUrl,
    max: 1,
    applicationName: "turnpike seed",
  });
  try {
    await ensurePerson(connection.db);
    const apiKey = await ensureKey(connection.db, join(dataDir, "dev-key.json"));
    return { email, password, apiKey };
  } finally {
    await connection.close();
  }
}

async function ensurePerson(db: Db): Promise<void> {
  try {
    await createAccount(db, { email, name: "Developer" });
  } catch (error) {
    if (!(error instanceof Fault && error.code === "conflict")) throw error;
  }
  const account = await findAccount(db, email);
  if (account.emailVerifiedAt === null) {
    const passwordHash = await Bun.password.hash(password, {
      algorithm: "argon2id",
      memoryCost: 19_456,
      timeCost: 2,
    });
    await db
      .update(persons)
      .set({ passwordHash, emailVerifiedAt: new Date() })
      .where(eq(persons.id, account.personId));
  }
  await postMovement(db, {
    accountId: account.id,
    amountNanos: toNanos(welcomeUsd * nanosPerUsd),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: `seed:${account.id}`,
    reason: "Welcome to development",
    actor: "seed",
  });
}

async function ensureKey(db: Db, rememberedAt: string): Promise<string> {
  const account = await findAccount(db, email);
  const remembered = readRemembered(rememberedAt);
  const keys = await listApiKeys(db, account.id);
  const known = keys.find(({ id }) => id === remembered?.id);
  if (remembered && known && !known.revokedAt && !known.disabledAt) return remembered.key;
  const minted = await mintApiKey(db, {
    accountId: account.id,
    createdBy: account.personId,
    name: "Development",
  });
  writePrivateFile(rememberedAt, JSON.stringify({ id: minted.id, key: minted.key }));
  return minted.key;
}

function readRemembered(path: string): { id: string; key: string } | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined; // Incomplete after a crash: a new key replaces it.
  }
}
