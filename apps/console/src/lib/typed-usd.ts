// Amounts in dollars as people type them, of any country: the only parser of money in the console's forms. The server checks
// again, and takes one spelling: digits and a point.
import { usdPatterns } from "@turnpike/terms";

/** Of every kind: also what keyboards and copied texts put between thousands. */
const spaces = /[\s\u00a0\u2007\u202f'\u2019]/g;
const grouped = /^\d{1,3}(?:(?:\.\d{3})+|(?:,\d{3})+)$/;

/**
 * `25,00`, `$1,000.50`, `1.000,50` and `１０` as `25.00`, `1000.50` and `10`. Where commas or points could mean either, as in
 * `1.000`, and for everything that is no amount, the text itself, which no check of an amount accepts.
 */
export function parseUsd(typed: string): string {
  const text = typed
    .normalize("NFKC")
    .trim()
    .replace(spaces, "")
    .replace(/^(?:US)?\$|\$$|USD$/gi, "");
  // Operators take amounts away, too; a minus sign may be a typographic one.
  if (/^[-\u2212]\d/.test(text)) return `-${parseUsd(text.slice(1))}`;
  const mark = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (mark === -1) return text;
  const [whole, fraction] = [text.slice(0, mark), text.slice(mark + 1)];
  const hasBoth = text.includes(".") && text.includes(",");
  const isGroup = grouped.test(text) && !hasBoth;
  // Nobody writes three decimals behind a comma, or one point between thousands without meaning it: one of them is an error.
  if (isGroup && (text.includes(",") || whole.includes("."))) return text.replace(/[.,]/g, "");
  if (!/^\d+$/.test(fraction)) return text;
  if (/^\d+$/.test(whole)) return `${whole}.${fraction}`;
  return hasBoth && grouped.test(whole) ? `${whole.replace(/[.,]/g, "")}.${fraction}` : text;
}

/** Whether the server takes it as an amount. */
export function isUsd(parsed: string, unit: keyof typeof usdPatterns = "cents"): boolean {
  return usdPatterns[unit].test(parsed);
}
