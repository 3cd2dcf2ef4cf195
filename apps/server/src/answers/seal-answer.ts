// Names and seals stored answers with the caller's own API key. Only the key's SHA-256 is stored elsewhere,
// so neither the database nor a copy of it can be read without a key that its owner still has.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { GenerationId } from "@turnpike/base";

export type KeptAnswer = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Charged, but broken off: only calls that waited for it are given it. */
  readonly isBroken?: boolean;
  /** Of one that broke off: its row has the id of a call that runs again. */
  readonly generationId?: GenerationId;
};

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** The row of the answer with the name `name` of `apiKey`. */
export function answerName(apiKey: string, name: string): Uint8Array {
  return sha256(`turnpike stored answer\0${apiKey}\0${name}`);
}

/** The length of names identifies what their rows are for; those of an `Idempotency-Key` are the shortest. */
export const cacheNameBytes = 33;
export const itemNameBytes = 34;

/** The row of the response cache that holds the answer to this request. */
export function cacheName(apiKey: string, requestHash: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from("c"), answerName(apiKey, `cache\0${requestHash.toHex()}`)]);
}

/** The row of the output item with this id. */
export function itemName(apiKey: string, id: string): Uint8Array {
  return Buffer.concat([Buffer.from("it"), answerName(apiKey, `item\0${id}`)]);
}

/** Equal for requests of one key with the same text; without the key nobody can confirm a guess of the text. */
export function hashRequest(apiKey: string, ...texts: readonly string[]): Uint8Array {
  return new Bun.CryptoHasher("sha256", apiKey).update(texts.join("\0")).digest();
}

/** IV, tag and the encrypted answer, in this order; `id` binds it to its row. */
export function sealAnswer(apiKey: string, id: Uint8Array, answer: KeptAnswer): Uint8Array {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, sealingKey(apiKey, id), iv);
  const text = JSON.stringify(answer);
  const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), sealed]);
}

/** Throws for data that another key sealed, or that belongs to another row. */
export function openAnswer(apiKey: string, id: Uint8Array, sealed: Uint8Array): KeptAnswer {
  const iv = sealed.subarray(0, ivBytes);
  const opening = createDecipheriv(cipher, sealingKey(apiKey, id), iv);
  opening.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  const text = opening.update(sealed.subarray(ivBytes + tagBytes));
  return JSON.parse(Buffer.concat([text, opening.final()]).toString());
}

function sealingKey(apiKey: string, id: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", apiKey, id, "turnpike stored answer", 32));
}

function sha256(text: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}
