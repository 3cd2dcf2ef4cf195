// Signs receipts. A receipt says what the row of the call says and nothing about who made it; its signature can be
// verified with the published keys alone, now and after any number of rotations.
import { Fault, type Sealer } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type GenerationView, receiptClaims } from "@turnpike/wire";
import { SignJWT } from "jose";
import {
  algorithm,
  type PublishedKey,
  queryPublishedKeys,
  querySigningKey,
  type SigningKey,
} from "./signing-keys.ts";

export type ReceiptOptions = {
  readonly db: Db;
  /** Undefined: there are no receipts. */
  readonly sealer: Sealer | undefined;
  /** The `iss` of receipts, without a slash at the end. */
  readonly publicUrl: string;
};

type KeySet = { readonly keys: PublishedKey[] };

export type Receipts = {
  /** False: `sign` refuses. */
  readonly canSign: boolean;
  /** A compact JWS. Throws a Fault if this installation has none. */
  readonly sign: (call: GenerationView) => Promise<string>;
  /** The JSON Web Key Set that verifies every receipt ever signed. */
  readonly readKeySet: () => Promise<KeySet>;
};

/** An instance signs with a key for at most so long after another one replaced it. */
const rememberKeyMs = 60_000;

/** Anyone may ask for the public keys, however often. */
const rememberSetMs = 1_000;

export function createReceipts({ db, sealer, publicUrl }: ReceiptOptions): Receipts {
  let keySet: { readonly read: Promise<KeySet>; readonly until: number } | undefined;
  let remembered: { readonly key: Promise<SigningKey>; readonly until: number } | undefined;

  function signingKey(): Promise<SigningKey> {
    if (sealer === undefined) {
      throw new Fault("not_found", "This installation signs no receipts.");
    }
    if (remembered !== undefined && performance.now() < remembered.until) return remembered.key;
    const key = querySigningKey(db, sealer);
    const mine = { key, until: performance.now() + rememberKeyMs };
    remembered = mine;
    key.catch(() => {
      if (remembered === mine) remembered = undefined;
    });
    return key;
  }

  return {
    canSign: sealer !== undefined,
    async sign(call) {
      const { id, privateKey } = await signingKey();
      return new SignJWT(receiptClaims(call))
        .setProtectedHeader({ alg: algorithm, kid: id, typ: "receipt+jwt" })
        .setIssuer(publicUrl)
        .setJti(call.id)
        .setIssuedAt()
        .sign(privateKey);
    },
    readKeySet() {
      const now = performance.now();
      if (keySet === undefined || now >= keySet.until) {
        const read = queryPublishedKeys(db).then((keys) => ({ keys }));
        const mine = { read, until: now + rememberSetMs };
        keySet = mine;
        read.catch(() => {
          if (keySet === mine) keySet = undefined;
        });
      }
      return keySet.read;
    },
  };
}
