// The codes of authenticator apps (RFC 6238): six digits that change every 30 seconds, as every app supports them.
// A code is accepted in its own period, one before and one after, for clocks that differ a little.
import { createHmac, randomBytes } from "node:crypto";
import { parseTypedCode } from "@turnpike/base";

const periodMs = 30_000;
const digits = 6;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** 160 random bits in base32, as an app takes them. */
export function makeTotpSecret(): string {
  return encodeBase32(randomBytes(20));
}

/** What the QR code says. */
export function totpUri(of: {
  readonly secret: string;
  readonly issuer: string;
  readonly email: string;
}): string {
  const label = `${encodeURIComponent(of.issuer)}:${encodeURIComponent(of.email)}`;
  const query = `secret=${of.secret}&issuer=${encodeURIComponent(of.issuer)}`;
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=${digits}&period=${periodMs / 1000}`;
}

/** The code of one period. */
export function totpCode(secret: string, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const mac = createHmac("sha1", decodeBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export function totpPeriod(now = Date.now()): number {
  return Math.floor(now / periodMs);
}

/** The period in which `code` is right, undefined for a wrong one. It is read as people type it. */
export function findTotpPeriod(secret: string, code: string, now = Date.now()): number | undefined {
  const typed = parseTypedCode(code);
  const current = totpPeriod(now);
  return [current, current - 1, current + 1].find((period) => totpCode(secret, period) === typed);
}

export function encodeBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}

function decodeBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    value = ((value << 5) | alphabet.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return Uint8Array.from(bytes);
}
