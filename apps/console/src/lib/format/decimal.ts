// Decimal strings as the API sends them, rounded without ever becoming a float.

/** `digits` × 10^-`scale`, with a separate sign; there is no `-0`. */
export type Decimal = {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly scale: number;
};

/** `"-0.42"`, `"12"`, `"0.000000001"`; anything else throws: showing it would be a bug. */
export function parseDecimal(text: string): Decimal {
  const match = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  if (!match) throw new Error(`not a decimal amount: ${text}`);
  const [, sign, whole = "0", fraction = ""] = match;
  const digits = BigInt(whole + fraction);
  return { negative: sign === "-" && digits !== 0n, digits, scale: fraction.length };
}

/** `half` = half away from zero; `floor` = never more than the exact amount. */
export type Rounding = "half" | "floor";

/** Exactly `decimals` digits after the point. */
export function roundDecimal(value: Decimal, decimals: number, rounding: Rounding): Decimal {
  if (value.scale <= decimals) {
    const digits = value.digits * 10n ** BigInt(decimals - value.scale);
    return { ...value, digits, scale: decimals };
  }
  const unit = 10n ** BigInt(value.scale - decimals);
  const rest = value.digits % unit;
  const up = rounding === "half" ? rest * 2n >= unit : value.negative && rest > 0n;
  const digits = value.digits / unit + (up ? 1n : 0n);
  return { negative: value.negative && digits !== 0n, digits, scale: decimals };
}

/** Whether the absolute value is at least 10^`exponent`. */
export function isAtLeast(value: Decimal, exponent: number): boolean {
  return value.digits >= 10n ** BigInt(Math.max(0, value.scale + exponent));
}

/** The decimal place of the first significant digit: 0.00047 → 4. Zero has none. */
export function leadingDecimals(value: Decimal): number {
  return value.scale - value.digits.toString().length + 1;
}

export function printDecimal({ negative, digits, scale }: Decimal): string {
  const text = digits.toString().padStart(scale + 1, "0");
  const whole = text.slice(0, text.length - scale);
  const fraction = scale === 0 ? "" : `.${text.slice(-scale)}`;
  return `${negative ? "-" : ""}${whole}${fraction}`;
}

/** Without trailing zeros, but with at least `least` decimals. */
export function trimDecimal(value: Decimal, least: number): Decimal {
  let { digits, scale } = value;
  while (scale > least && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  return { ...value, digits, scale };
}

/** Exact sum of decimal strings, for totals under a table. */
export function addDecimals(texts: readonly string[]): string {
  const values = texts.map(parseDecimal);
  const scale = Math.max(0, ...values.map((value) => value.scale));
  let sum = 0n;
  for (const value of values) {
    const digits = value.digits * 10n ** BigInt(scale - value.scale);
    sum += value.negative ? -digits : digits;
  }
  const total = { negative: sum < 0n, digits: sum < 0n ? -sum : sum, scale };
  return printDecimal(trimDecimal(total, 0));
}

/** −1, 0 or 1, as `sort` wants it. */
export function compareDecimals(a: string, b: string): number {
  const difference = parseDecimal(addDecimals([a, negateDecimal(b)]));
  if (difference.digits === 0n) return 0;
  return difference.negative ? -1 : 1;
}

export function negateDecimal(text: string): string {
  return text.startsWith("-") ? text.slice(1) : `-${text}`;
}
