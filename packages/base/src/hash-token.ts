// What is stored of an issued secret: its SHA-256. A plain hash is enough, because the secret
// has 256 random bits.

export function hashToken(token: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(token).digest();
}

/** 32 random bytes in base64url. */
export function makeToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}
