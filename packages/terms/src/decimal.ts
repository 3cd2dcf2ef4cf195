// Decimal strings as the API sends them, added and compared without ever becoming a float.

/** `digits` × 10^-`scale`. */
export type Decimal = { readonly digits: bigint; readonly scale: number };

/** `"-0.42"`, `"12"`, `"0.000000001"`; anything else throws: showing it would be a bug. */
export function parseDecimal(text: string): Decimal {
  const match = /^(-?\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  if (!match) throw new Error(`not a decimal amount: ${text}`);
  const [, whole = "0", fraction = ""] = match;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Without trailing zeros; there is no `-0`. */
export function printDecimal({ digits, scale }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  const fraction = text.slice(text.length - scale).replace(/0{1,30}$/, "");
  const whole = `${digits < 0n ? "-" : ""}${text.slice(0, text.length - scale)}`;
  return scale === 0 || fraction === "" ? whole : `${whole}.${fraction}`;
}

/** How many decimals show it exactly. */
export function decimalsOf(text: string): number {
  const [, fraction = ""] = printDecimal(parseDecimal(text)).split(".");
  return fraction.length;
}

/** Exact sum of decimal strings, for totals under a table. */
export function addDecimals(texts: readonly string[]): string {
  const values = texts.map(parseDecimal);
  const scale = Math.max(0, ...values.map((value) => value.scale));
  const digits = values.map((value) => value.digits * 10n ** BigInt(scale - value.scale));
  return printDecimal({ digits: digits.reduce((sum, next) => sum + next, 0n), scale });
}

/** −1, 0 or 1, as `sort` wants it. */
export function compareDecimals(a: string, b: string): number {
  const { digits } = parseDecimal(addDecimals([a, negateDecimal(b)]));
  return Number(digits > 0n) - Number(digits < 0n);
}

export function negateDecimal(text: string): string {
  return text.startsWith("-") ? text.slice(1) : `-${text}`;
}
