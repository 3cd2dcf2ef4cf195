// What happened in an account, in words: names of programs become phrases, and recorded changes become sentences.
import { formatExactUsd, formatUtc } from "@turnpike/format";

/** `account.set_low_balance_alert` is `Account: set low balance alert`, `signed_in` is `Signed in`. */
export function phraseOf(name: string): string {
  const words = name
    .replace(".", ": ")
    .replaceAll("_", " ")
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Of the audit log: `limit $5.00 → $10.00, reason ticket 7`. */
export function describeChanges(changes: unknown): string {
  if (typeof changes !== "object" || changes === null) return "";
  return Object.entries(changes)
    .map(([field, change]) => describeChange(field, change))
    .join(", ");
}

function describeChange(field: string, change: unknown): string {
  const name = phraseOf(field).toLowerCase();
  if (!Array.isArray(change) || change.length !== 2)
    return `${name} ${describeValue(field, change)}`;
  const [from, to] = change;
  if (from === null || from === undefined) return `${name} ${describeValue(field, to)}`;
  return `${name} ${describeValue(field, from)} → ${describeValue(field, to)}`;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)$/;
const decimal = /^-?\d{1,30}(\.\d{1,30})?$/;

function describeValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return value.map((one) => describeValue(field, one)).join(", ") || "none";
  if (typeof value === "object") return describeChanges(value);
  const text = String(value);
  if (isoTime.test(text)) return formatUtc(new Date(text));
  return /usd$/i.test(field) && decimal.test(text) ? formatExactUsd(text) : text;
}
