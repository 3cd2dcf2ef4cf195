// An object as its owner sees it. Its name, the hash and the key of its contents are sealed together, bound to its row: those of one
// object do not open in the row of another.
import type { AccountId, ObjectId, Sealer } from "@turnpike/base";
import { type ObjectKind, objects } from "@turnpike/db";

export type StoredObject = {
  readonly id: ObjectId;
  readonly kind: ObjectKind;
  readonly purpose: string;
  readonly mediaType: string;
  readonly size: number;
  readonly createdAt: Date;
  /** Null: it is kept until it is deleted. */
  readonly expiresAt: Date | null;
  readonly filename: string;
};

export type ObjectHead = {
  readonly filename: string;
  /** Of the plain contents, in hexadecimal. */
  readonly sha256: string;
  /** What the contents are encrypted with, in hexadecimal. */
  readonly key: string;
};

export const objectColumns = {
  id: objects.id,
  kind: objects.kind,
  purpose: objects.purpose,
  mediaType: objects.mediaType,
  size: objects.size,
  createdAt: objects.createdAt,
  expiresAt: objects.expiresAt,
  sealedHead: objects.sealedHead,
};

export type ObjectRow = Omit<StoredObject, "purpose" | "mediaType" | "filename"> & {
  readonly purpose: string | null;
  readonly mediaType: string | null;
  readonly sealedHead: Uint8Array | null;
};

/** Of a row that is ready. Throws SealBroken. */
export function toStoredObject(
  sealer: Sealer,
  accountId: AccountId,
  { sealedHead, purpose, mediaType, ...row }: ObjectRow,
): StoredObject & { readonly key: string } {
  if (sealedHead === null || purpose === null || mediaType === null) {
    throw new Error("an object that is shown is not ready");
  }
  const { filename, key } = openObjectHead(sealer, accountId, row.id, sealedHead);
  return { ...row, purpose, mediaType, filename, key };
}

/** Throws SealBroken. */
export function openObjectHead(
  sealer: Sealer,
  accountId: AccountId,
  id: ObjectId,
  sealed: Uint8Array,
): ObjectHead {
  return JSON.parse(sealer.open(placeOf(accountId, id), sealed));
}

export function sealObjectHead(
  sealer: Sealer,
  accountId: AccountId,
  id: ObjectId,
  head: ObjectHead,
): Uint8Array {
  return sealer.seal(placeOf(accountId, id), JSON.stringify(head));
}

export function placeOf(accountId: AccountId, id: ObjectId): string {
  return `objects ${accountId} ${id}`;
}
