// The text of a secret that Turnpike issues: a prefix, 43 random base62 characters (256 bits), then 6 base62
// characters of the CRC32 of everything before them. A mistyped or invented one is refused by its checksum,
// before anything is looked up, and a scanner of leaked secrets can tell it from text that only looks like it.

const randomChars = 43;
const checksumChars = 6;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte: bytes from here on would favor the first letters. */
const unbiasedBelow = 248;

/** A new secret. The caller shows it once and keeps only its hash. */
export function makeSecretText(prefix: string): string {
  let random = "";
  while (random.length < randomChars) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      if (byte < unbiasedBelow) random += alphabet.charAt(byte % 62);
    }
  }
  const signed = prefix + random.slice(0, randomChars);
  return signed + checksumOf(signed);
}

/** Whether the last six characters are the checksum of those before them. */
export function endsWithChecksum(text: string): boolean {
  let rest = Bun.hash.crc32(text.slice(0, -checksumChars));
  // From the last one on, as `checksumOf` writes them.
  for (let at = text.length - 1; at >= text.length - checksumChars; at -= 1) {
    if (text.charCodeAt(at) !== alphabet.charCodeAt(rest % 62)) return false;
    rest = Math.floor(rest / 62);
  }
  return true;
}

/** `sk-tp-9f2a…c41d`: enough to recognize a secret, useless to anyone else. */
export function maskSecretText(prefix: string, text: string): string {
  return `${text.slice(0, prefix.length + 4)}…${text.slice(-4)}`;
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
