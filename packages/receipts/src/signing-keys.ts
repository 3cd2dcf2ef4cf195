// The key that signs receipts, made and replaced here. Whatever runs at the same time, at most one key signs, and
// a public key that was ever published stays so.
import { SealBroken, type Sealer } from "@turnpike/base";
import { type Db, type PublicKey, signingKeys } from "@turnpike/db";
import { asc, eq, isNull, sql } from "drizzle-orm";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";

export type SigningKey = {
  readonly id: string;
  readonly privateKey: Awaited<ReturnType<typeof importJWK>>;
};

export const algorithm = "EdDSA";
const keepKeyMs = 90 * 86_400_000;

export type PublishedKey = PublicKey & {
  readonly kid: string;
  readonly alg: typeof algorithm;
  readonly use: "sig";
};

/** Every public key, oldest first. */
export async function queryPublishedKeys(db: Db): Promise<PublishedKey[]> {
  const rows = await db
    .select({ id: signingKeys.id, publicKey: signingKeys.publicKey })
    .from(signingKeys)
    .orderBy(asc(signingKeys.createdAt), asc(signingKeys.id));
  return rows.map(({ id, publicKey }) => ({ ...publicKey, kid: id, alg: algorithm, use: "sig" }));
}

/** Every key, oldest first, for an operator. */
export function listSigningKeys(db: Db) {
  return db
    .select({
      id: signingKeys.id,
      createdAt: signingKeys.createdAt,
      retiredAt: signingKeys.retiredAt,
    })
    .from(signingKeys)
    .orderBy(asc(signingKeys.createdAt), asc(signingKeys.id));
}

/** The key that signs; made by the first call that needs one. Throws SealBroken under another SEALING_KEY. */
export async function querySigningKey(db: Db, sealer: Sealer): Promise<SigningKey> {
  const current = await queryCurrent(db);
  if (current !== undefined) return openKey(current, sealer);
  await replaceKey(db, sealer, (other) => other === undefined);
  const made = await queryCurrent(db);
  if (made === undefined) throw new Error("no key signs receipts");
  return openKey(made, sealer);
}

/** Whether `sealer` opens the key that signs now; undefined where none was made yet. Makes none. */
export async function opensSigningKey(db: Db, sealer: Sealer): Promise<boolean | undefined> {
  const current = await queryCurrent(db);
  if (current === undefined) return undefined;
  try {
    await openKey(current, sealer);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

type RotatedKey = { readonly id: string; readonly replacedId: string | undefined };

/** Replaces the current key, however old it is. */
export async function rotateSigningKey(db: Db, sealer: Sealer): Promise<RotatedKey> {
  const rotated = await replaceKey(db, sealer, () => true);
  if (rotated === undefined) throw new Error("the key was not replaced");
  return rotated;
}

/** For a job: makes the first key, and replaces one that has signed for 90 days. */
export function replaceOldKey(
  db: Db,
  sealer: Sealer,
  now = new Date(),
): Promise<RotatedKey | undefined> {
  const until = now.getTime() - keepKeyMs;
  return replaceKey(db, sealer, (current) => (current?.createdAt.getTime() ?? 0) <= until);
}

type CurrentKey = {
  readonly id: string;
  readonly createdAt: Date;
  readonly sealedPrivate: Uint8Array | null;
};

/** `mayReplace` is asked under a lock: of several attempts at the same time, each sees the key of the one before. */
async function replaceKey(
  db: Db,
  sealer: Sealer,
  mayReplace: (current: CurrentKey | undefined) => boolean,
): Promise<RotatedKey | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('signing_keys'))`);
    const current = await queryCurrent(tx);
    if (!mayReplace(current)) return undefined;
    if (current !== undefined) {
      await tx
        .update(signingKeys)
        .set({ sealedPrivate: null, retiredAt: sql`now()` })
        .where(eq(signingKeys.id, current.id));
    }
    const made = await makeKey(sealer);
    await tx.insert(signingKeys).values(made);
    return { id: made.id, replacedId: current?.id };
  });
}

async function makeKey(sealer: Sealer) {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const { x = "" } = await exportJWK(publicKey);
  const jwk = { kty: "OKP", crv: "Ed25519", x } as const satisfies PublicKey;
  const id = await calculateJwkThumbprint(jwk);
  const sealedPrivate = sealer.seal(placeOf(id), JSON.stringify(await exportJWK(privateKey)));
  return { id, publicKey: jwk, sealedPrivate };
}

async function queryCurrent(db: Db): Promise<CurrentKey | undefined> {
  const [row] = await db
    .select({
      id: signingKeys.id,
      createdAt: signingKeys.createdAt,
      sealedPrivate: signingKeys.sealedPrivate,
    })
    .from(signingKeys)
    .where(isNull(signingKeys.retiredAt));
  return row;
}

async function openKey({ id, sealedPrivate }: CurrentKey, sealer: Sealer): Promise<SigningKey> {
  if (sealedPrivate === null) throw new Error(`signing key ${id} has no private part`);
  const jwk: JWK = JSON.parse(sealer.open(placeOf(id), sealedPrivate));
  return { id, privateKey: await importJWK(jwk, algorithm) };
}

function placeOf(id: string): string {
  return `signing_keys ${id}`;
}
