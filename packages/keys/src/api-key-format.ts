// The text of an API key: `sk-tp-`, 43 random base62 characters (256 bits), then 6 base62 characters
// of the CRC32 of everything before them. A mistyped or invented key is refused by its checksum,
// before anything is looked up. Only the SHA-256 of a key is ever stored or kept in memory.

const prefix = "sk-tp-";
const randomChars = 43;
const checksumChars = 6;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte: bytes from here on would favour the first letters. */
const unbiasedBelow = 248;

/** For secret scanners; `isApiKeyText` also checks the checksum. */
export const apiKeyPattern = /^sk-tp-[0-9A-Za-z]{49}$/;

/** A new key. The caller shows it once and keeps only its hash. */
export function makeApiKeyText(): string {
  let random = "";
  while (random.length < randomChars) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      if (byte < unbiasedBelow) random += alphabet.charAt(byte % 62);
    }
  }
  const signed = prefix + random.slice(0, randomChars);
  return signed + checksumOf(signed);
}

/** Whether `text` has the form of a key with a valid checksum. The key may still be unknown or revoked. */
export function isApiKeyText(text: string): boolean {
  if (!apiKeyPattern.test(text)) return false;
  let rest = Bun.hash.crc32(text.slice(0, -checksumChars));
  // From the last one on, as `checksumOf` writes them.
  for (let at = text.length - 1; at >= text.length - checksumChars; at -= 1) {
    if (text.charCodeAt(at) !== alphabet.charCodeAt(rest % 62)) return false;
    rest = Math.floor(rest / 62);
  }
  return true;
}

/** SHA-256 in hex. A fast hash is sufficient here: the key has 256 bits of entropy. */
export function hashApiKey(key: string): string {
  return Bun.SHA256.hash(key, "hex");
}

/** `sk-tp-9f2a…c41d`: enough to recognise a key, useless to anyone else. */
export function maskApiKey(key: string): string {
  return `${key.slice(0, prefix.length + 4)}…${key.slice(-4)}`;
}

function checksumOf(text: string): string {
  let rest = Bun.hash.crc32(text);
  let checksum = "";
  for (let n = 0; n < checksumChars; n += 1) {
    checksum = alphabet.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}
