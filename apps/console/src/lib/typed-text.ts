// What people type into forms, checked and read alike everywhere. The server checks it again.
import { compareDecimals, nameCharsMax } from "@turnpike/terms";
import { isUsd, parseUsd } from "./typed-usd.ts";

/** `missing` is said of an empty name. */
export function checkName(
  typed: string,
  missing: string,
  of: keyof typeof nameCharsMax = "apiKey",
): string | undefined {
  const name = typed.trim();
  if (name === "") return missing;
  const most = nameCharsMax[of];
  return name.length > most ? `Use at most ${most} characters.` : undefined;
}

type Allowed = { readonly none?: boolean; readonly zero?: boolean };

/** An amount in dollars and cents. */
export function checkUsd(typed: string, allowed: Allowed = {}): string | undefined {
  const usd = parseUsd(typed);
  if (usd === "") return allowed.none ? undefined : "Enter an amount.";
  if (!isUsd(usd)) return "Enter an amount such as 10 or 10.50.";
  return allowed.zero || compareDecimals(usd, "0") > 0 ? undefined : "Enter more than $0.";
}

/** A count that may be left out. */
export function checkCount(typed: string): string | undefined {
  return /^([1-9]\d{0,6})?$/.test(typed.trim())
    ? undefined
    : "Enter a whole number, or leave it empty.";
}

/** Commas separate too, unless given otherwise. */
export function linesOf(typed: string, separator: string | RegExp = /[\n,]/): string[] {
  return typed
    .split(separator)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** What is pasted as a list, separated by spaces, lines or commas; each entry once. */
export function splitList(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((entry) => entry !== ""))];
}
