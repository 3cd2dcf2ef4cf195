// What the sign-in forms validate before they are sent; the server validates again.

import { isEmail } from "../../lib/is-email.ts";
import { t } from "./texts.ts";

export function checkEmail(email: string): string | undefined {
  const text = email.trim();
  if (text === "") return t("field.emailMissing");
  return isEmail(text) ? undefined : t("field.emailWrong");
}

export function checkPassword(password: string): string | undefined {
  return password === "" ? t("field.passwordMissing") : undefined;
}

/** Characters as people count them, as the server does. */
export function countCharacters(password: string): number {
  return [...password.normalize("NFC")].length;
}

export function checkNewPassword(password: string, least: number): string | undefined {
  return countCharacters(password) < least ? t("field.passwordShort", { least }) : undefined;
}

const strongCharacters = 20;

/** A hint, not a verdict: length is what makes a password strong. */
export function describeStrength(password: string, least: number): string {
  const count = countCharacters(password);
  if (count === 0) return t("strength.rule", { least });
  if (count < least) return t("strength.more", { count: least - count });
  return count < strongCharacters ? t("strength.good") : t("strength.strong");
}
