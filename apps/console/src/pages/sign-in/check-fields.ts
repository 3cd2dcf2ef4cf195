// What the sign-in forms validate before they are sent; the server validates again.

import { isEmail } from "../../lib/is-email.ts";
import { counted } from "../../lib/plural.ts";

export function checkEmail(email: string): string | undefined {
  const text = email.trim();
  if (text === "") return "Enter your email address.";
  return isEmail(text) ? undefined : "Enter a valid email address.";
}

export function checkPassword(password: string): string | undefined {
  return password === "" ? "Enter your password." : undefined;
}

/** Characters as people count them, as the server does. */
export function countCharacters(password: string): number {
  return [...password.normalize("NFC")].length;
}

export function checkNewPassword(password: string, least: number): string | undefined {
  return countCharacters(password) < least ? `Use at least ${least} characters.` : undefined;
}

const strongCharacters = 20;

/** A hint, not a verdict: length is what makes a password strong. */
export function describeStrength(password: string, least: number): string {
  const count = countCharacters(password);
  if (count === 0) return `At least ${least} characters`;
  if (count < least) return `${counted(least - count, "more character")}.`;
  return count < strongCharacters ? "Long enough." : "Strong";
}
