// The codes of RFC 6238 (appendix B, SHA-1), shortened to six digits, and the secrets that apps read.
import { expect, test } from "bun:test";
import { encodeBase32, findTotpPeriod, makeTotpSecret, totpCode, totpUri } from "./totp.ts";

const secret = encodeBase32(Buffer.from("12345678901234567890"));

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code at %d s is the one of the standard", (seconds, code) => {
  expect(findTotpPeriod(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test("a code is right one period early or late, and no longer", () => {
  const now = 1_700_000_000_000;
  const period = Math.floor(now / 30_000);
  const accepted = [-2, -1, 0, 1, 2].map((away) =>
    findTotpPeriod(secret, totpCode(secret, period + away), now),
  );
  expect(accepted).toEqual([undefined, period - 1, period, period + 1, undefined]);
  const code = totpCode(secret, period);
  expect(findTotpPeriod(secret, `${code.slice(0, 3)} ${code.slice(3)}`, now)).toBe(period);
  for (const wrong of ["", "12345", `${code}0`, "abcdef", code.slice(1)]) {
    expect(findTotpPeriod(secret, wrong, now)).toBeUndefined();
  }
});

test("spaces and hyphens between digits do not matter, and digits may be of full width", () => {
  const now = 1_700_000_000_000;
  const period = Math.floor(now / 30_000);
  const code = totpCode(secret, period);
  const [head, tail] = [code.slice(0, 3), code.slice(3)];
  const wide = code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
  const typed = [
    `${head} ${tail}`,
    `${head}-${tail}`,
    ` ${code}\t`,
    `${head}\u00a0${tail}`,
    `${head}\u2011${tail}\n`,
  ];
  for (const text of [...typed, wide, `${wide.slice(0, 3)}\u3000${wide.slice(3)}`]) {
    expect([text, findTotpPeriod(secret, text, now)]).toEqual([text, period]);
  }
});

test("a code with any other character is wrong", () => {
  const now = 1_700_000_000_000;
  const code = totpCode(secret, Math.floor(now / 30_000));
  const arabic = code.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)));
  const mathematical = code.replace(/\d/g, (digit) =>
    String.fromCodePoint(0x1d7ce + Number(digit)),
  );
  const added = ["\u200b", "\0", "_", ".", "x"].map((char) => char + code);
  for (const wrong of [...added, arabic, mathematical]) {
    expect([wrong, findTotpPeriod(secret, wrong, now)]).toEqual([wrong, undefined]);
  }
});

test("base32 is as RFC 4648 writes it, without padding", () => {
  const texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
  expect(texts.map((text) => encodeBase32(Buffer.from(text)))).toEqual([
    "",
    "MY",
    "MZXQ",
    "MZXW6",
    "MZXW6YQ",
    "MZXW6YTB",
    "MZXW6YTBOI",
  ]);
});

test("a secret has 160 bits, and its URI names issuer and address", () => {
  const made = makeTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(made).not.toBe(makeTotpSecret());
  const uri = new URL(totpUri({ secret: made, issuer: "Turn & pike", email: "a+b@example.com" }));
  expect(uri.pathname).toBe("/Turn%20%26%20pike:a%2Bb%40example.com");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: made,
    issuer: "Turn & pike",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
