// Encrypts contents of any size in chunks, so that they are never in memory as a whole: AES-256-GCM under a key of the object's own.
// Each chunk is bound to its object, to its number and to whether it is the last, so that none is cut off, moved or
// exchanged without its being noticed.
import { createCipheriv, createDecipheriv } from "node:crypto";

/** Of plain bytes; the last chunk may have fewer, and none if the contents are empty. */
export const chunkBytes = 64 * 1024;
const tagBytes = 16;
const sealedChunkBytes = chunkBytes + tagBytes;
const cipher = "aes-256-gcm";

/** The contents do not open: they were changed, or sealed for another object. */
export class ContentBroken extends Error {
  override readonly name = "ContentBroken";
  constructor(place: string) {
    super(`the contents of ${place} were changed since they were stored, or are incomplete`);
  }
}

export type ChunkKey = {
  /** 32 bytes that no other contents are sealed with: the numbers of chunks are nonces. */
  readonly key: Uint8Array;
  /** Names the object. */
  readonly place: string;
};

export type ChunkSealer = {
  /** Sealed chunks that are complete now. */
  readonly push: (bytes: Uint8Array) => Uint8Array[];
  /** The last one. */
  readonly end: () => Uint8Array;
};

export function createChunkSealer(sealing: ChunkKey): ChunkSealer {
  const chunk = Buffer.alloc(chunkBytes);
  let used = 0;
  let number = 0;
  const seal = (isLast: boolean) => {
    const sealed = sealChunk(sealing, { number, isLast }, chunk.subarray(0, used));
    number += 1;
    used = 0;
    return sealed;
  };
  return {
    push(bytes) {
      const sealed: Uint8Array[] = [];
      for (let rest = bytes; rest.byteLength > 0; ) {
        // A full chunk waits: it may be the last one.
        if (used === chunkBytes) sealed.push(seal(false));
        const fitting = rest.subarray(0, chunkBytes - used);
        chunk.set(fitting, used);
        used += fitting.byteLength;
        rest = rest.subarray(fitting.byteLength);
      }
      return sealed;
    },
    end: () => seal(true),
  };
}

/** The plain chunks of what a `ChunkSealer` wrote, wherever it is divided now. Throws ContentBroken before a chunk that is not as it was. */
export async function* openChunks(
  opening: ChunkKey,
  sealed: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(sealedChunkBytes);
  let used = 0;
  let number = 0;
  for await (const bytes of sealed) {
    for (let rest = bytes; rest.byteLength > 0; ) {
      if (used === sealedChunkBytes) {
        yield openChunk(opening, { number, isLast: false }, chunk);
        number += 1;
        used = 0;
      }
      const fitting = rest.subarray(0, sealedChunkBytes - used);
      chunk.set(fitting, used);
      used += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
    }
  }
  yield openChunk(opening, { number, isLast: true }, chunk.subarray(0, used));
}

type ChunkPosition = { readonly number: number; readonly isLast: boolean };

function sealChunk(
  { key, place }: ChunkKey,
  position: ChunkPosition,
  plain: Uint8Array,
): Uint8Array {
  const sealing = createCipheriv(cipher, key, nonceOf(position));
  sealing.setAAD(boundTo(place, position));
  return Buffer.concat([sealing.update(plain), sealing.final(), sealing.getAuthTag()]);
}

function openChunk(
  { key, place }: ChunkKey,
  position: ChunkPosition,
  sealed: Uint8Array,
): Uint8Array {
  const tagStart = sealed.byteLength - tagBytes;
  if (tagStart < 0) throw new ContentBroken(place);
  const opening = createDecipheriv(cipher, key, nonceOf(position), { authTagLength: tagBytes });
  opening.setAAD(boundTo(place, position));
  opening.setAuthTag(sealed.subarray(tagStart));
  const plain = opening.update(sealed.subarray(0, tagStart));
  try {
    return Buffer.concat([plain, opening.final()]);
  } catch {
    throw new ContentBroken(place);
  }
}

function nonceOf({ number }: ChunkPosition): Uint8Array {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 4);
  return nonce;
}

function boundTo(place: string, { number, isLast }: ChunkPosition): Uint8Array {
  return Buffer.from(`${place}\0${number}\0${isLast ? "last" : "more"}`);
}
