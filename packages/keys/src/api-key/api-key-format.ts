// The text of an API key: `sk-tp-` and what `makeSecretText` adds. Only the SHA-256 of a key is ever stored
// or kept in memory.
import { endsWithChecksum, makeSecretText, maskSecretText } from "@turnpike/base";

const prefix = "sk-tp-";

/** For secret scanners; `isApiKeyText` also checks the checksum. */
export const apiKeyPattern = /^sk-tp-[0-9A-Za-z]{49}$/;

/** A new key. The caller shows it once and keeps only its hash. */
export function makeApiKeyText(): string {
  return makeSecretText(prefix);
}

/** Whether `text` has the form of a key with a valid checksum. The key may still be unknown or revoked. */
export function isApiKeyText(text: string): boolean {
  return apiKeyPattern.test(text) && endsWithChecksum(text);
}

/** SHA-256 in hex. A fast hash is sufficient here: the key has 256 bits of entropy. */
export function hashApiKey(key: string): string {
  return Bun.SHA256.hash(key, "hex");
}

/** `sk-tp-9f2a…c41d`. */
export function maskApiKey(key: string): string {
  return maskSecretText(prefix, key);
}
