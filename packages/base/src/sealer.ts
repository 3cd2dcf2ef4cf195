// Seals secrets that the server itself must read again, before they are stored: AES-256-GCM under keys derived
// from SEALING_KEY. What was sealed for one place opens at no other, and without the key a copy of the database
// contains nothing of use.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export type Sealer = {
  /** `place` names the column and the row, e.g. `signing_keys 2026-01`. */
  readonly seal: (place: string, text: string) => Uint8Array;
  /** Throws SealBroken for what was sealed under another key, for another place, or changed since. */
  readonly open: (place: string, sealed: Uint8Array) => string;
};

export class SealBroken extends Error {
  override readonly name = "SealBroken";
  constructor(place: string) {
    super(`SEALING_KEY does not open ${place}: it was sealed under another key, or changed since`);
  }
}

const cipher = "aes-256-gcm";
const version = 1;
const ivStart = 1;
const tagStart = ivStart + 12;
const textStart = tagStart + 16;

/** The first of `keys` seals, all of them open: that is how a key is replaced. */
export function createSealer(keys: readonly [string, ...string[]]): Sealer {
  return {
    seal(place, text) {
      const iv = randomBytes(tagStart - ivStart);
      const sealing = createCipheriv(cipher, deriveKey(keys[0], place), iv);
      const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
      return Buffer.concat([Uint8Array.of(version), iv, sealing.getAuthTag(), sealed]);
    },
    open(place, sealed) {
      for (const key of keys) {
        const text = tryKey(deriveKey(key, place), sealed);
        if (text !== undefined) return text;
      }
      throw new SealBroken(place);
    },
  };
}

function tryKey(key: Uint8Array, sealed: Uint8Array): string | undefined {
  if (sealed[0] !== version || sealed.length < textStart) return undefined;
  const opening = createDecipheriv(cipher, key, sealed.subarray(ivStart, tagStart));
  opening.setAuthTag(sealed.subarray(tagStart, textStart));
  const text = opening.update(sealed.subarray(textStart));
  try {
    return Buffer.concat([text, opening.final()]).toString();
  } catch {
    return undefined;
  }
}

function deriveKey(key: string, place: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, "", `turnpike sealed secret\0${place}`, 32));
}
