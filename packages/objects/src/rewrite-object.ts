// Replaces the contents of an object that is small and stays where it is. What was there before does not open under the new key.
import { createHash, randomBytes } from "node:crypto";
import type { ObjectId } from "@turnpike/base";
import { type Db, type ObjectKind, objects } from "@turnpike/db";
import { and, eq, isNull } from "drizzle-orm";
import { type ObjectOwner, type Objects, visibleTo } from "./objects.ts";
import { chunkBytes, createChunkSealer } from "./seal-chunks.ts";
import { placeOf, sealObjectHead } from "./stored-object.ts";

export type NewContents = { readonly filename: string; readonly bytes: Uint8Array };

/** False if the project has no such object, or it is in the blob store. Throws for contents that no row takes. */
export async function rewriteObject(
  db: Db,
  { sealer }: Pick<Objects, "sealer">,
  owner: ObjectOwner,
  { kind, id, filename, bytes }: NewContents & { readonly kind: ObjectKind; readonly id: ObjectId },
): Promise<boolean> {
  if (bytes.byteLength > chunkBytes) throw new Error("contents that large are not rewritten");
  const key = randomBytes(32);
  const chunks = createChunkSealer({ key, place: placeOf(owner.accountId, id) });
  chunks.push(bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const head = { filename, sha256, key: key.toString("hex") };
  const sealedHead = sealObjectHead(sealer, owner.accountId, id, head);
  const rewritten = await db
    .update(objects)
    .set({ sealed: chunks.end(), sealedHead, size: bytes.byteLength })
    .where(and(visibleTo(owner, kind), eq(objects.id, id), isNull(objects.blob)))
    .returning({ id: objects.id });
  return rewritten.length > 0;
}
