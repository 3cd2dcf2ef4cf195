// What a new password must be: long, and not a common first guess. There are no rules about
// kinds of characters.

import { Fault } from "@turnpike/base";

export const passwordCharsMax = 256;

/** What remains of a password without these must still be a secret. */
const firstGuesses = [
  "password",
  "passwort",
  "passw0rd",
  "p@ssw0rd",
  "p@ssword",
  "letmein",
  "welcome",
  "iloveyou",
  "administrator",
  "admin",
  "qwertyuiop",
  "qwertzuiop",
  "qwerty",
  "azerty",
  "asdfghjkl",
  "zxcvbnm",
  "1q2w3e4r5t",
  "1q2w3e4r",
  "q1w2e3r4",
  "1qaz2wsx",
  "zaq12wsx",
  "abcdefghijklmnopqrstuvwxyz",
  "abcdefgh",
  "abcdef",
  "abcd1234",
  "abc123",
  "0123456789",
  "1234567890",
  "123456789",
  "12345678",
  "1234567",
  "123456",
  "12345",
  "1234",
  "9876543210",
  "987654321",
  "654321",
  "trustno1",
  "superman",
  "football",
  "baseball",
  "princess",
  "sunshine",
  "starwars",
  "monkey",
  "dragon",
  "master",
  "changeme",
  "secret",
  "login",
];

const restCharsMin = 5;
const restDistinctMin = 4;
const namePartCharsMin = 3;

/** Throws `string_below_min_length`, `string_above_max_length` or `invalid_value`. */
export function checkNewPassword(
  password: string,
  rules: {
    readonly minChars: number;
    readonly email: string;
    readonly productName: string;
    readonly param: string;
  },
): void {
  const { minChars, param } = rules;
  const chars = [...password.normalize("NFC")].length;
  if (chars < minChars) {
    const message = `Use at least ${minChars} characters.`;
    throw new Fault("string_below_min_length", message, { param });
  }
  if (chars > passwordCharsMax) {
    const message = `Use at most ${passwordCharsMax} characters.`;
    throw new Fault("string_above_max_length", message, { param });
  }
  const [localPart = "", domain = ""] = rules.email.toLowerCase().split("@");
  const names = [rules.email, localPart, domain, domain.split(".")[0] ?? "", rules.productName];
  if (isGuessable(password, names)) {
    throw new Fault("invalid_value", "This password is too easy to guess.", { param });
  }
}

function isGuessable(password: string, names: readonly string[]): boolean {
  let rest = password.normalize("NFC").toLowerCase();
  const known = names.map((name) => name.toLowerCase());
  for (const guess of known.filter((name) => name.length >= namePartCharsMin)) {
    rest = rest.replaceAll(guess, "");
  }
  for (const guess of firstGuesses) rest = rest.replaceAll(guess, "");
  return rest.length < restCharsMin || new Set(rest).size < restDistinctMin;
}
