// Formats counts, shares, durations and speeds. No data is a dash, never a zero.
import { numberFormat, withMinus } from "./locale.ts";

export const noData = "—";

function isNumber(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}

/** `12,345`. */
export function formatCount(count: number | null | undefined): string {
  return isNumber(count) ? withMinus(numberFormat({}).format(count)) : noData;
}

/** `1.2M`, `131K`: for cards and axes only, with the exact count next to it. */
export function formatCompact(count: number | null | undefined): string {
  if (!isNumber(count)) return noData;
  const options = {
    notation: "compact",
    maximumFractionDigits: 1,
    maximumSignificantDigits: 3,
    roundingPriority: "lessPrecision",
  } as const;
  return withMinus(numberFormat(options).format(count));
}

/** One decimal, so that all shares of a page read alike. */
const percentOptions = {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
} as const;

/** A share between 0 and 1: `99.9%`, `7.0%`, `<0.1%`; less than 1 is never shown as `100.0%`. */
export function formatShare(share: number | null | undefined): string {
  if (!isNumber(share)) return noData;
  const percent = (value: number) => withMinus(numberFormat(percentOptions).format(value));
  if (share > 0 && share < 0.001) return `<${percent(0.001)}`;
  if (share < 1 && share > 0.999) return share >= 0.9995 ? `>${percent(0.999)}` : percent(0.999);
  return percent(share);
}

/** Change against the previous period: `+12.0%`, `−3.4%`; a dash if there was nothing before. */
export function formatChange(now: number, before: number): string {
  if (!Number.isFinite(now) || !Number.isFinite(before) || before === 0) return noData;
  const options = { ...percentOptions, signDisplay: "exceptZero" } as const;
  return withMinus(numberFormat(options).format((now - before) / before));
}

/** `840 ms`, `1.24 s`, `1 min 12 s`, `2 h 5 min`. */
export function formatDuration(durationMs: number | null | undefined): string {
  return printDuration(durationMs, 2);
}

/** For the ticks of an axis: `30 s`, `1.5 s`. */
export function formatRoundDuration(durationMs: number): string {
  return printDuration(durationMs, 0);
}

function printDuration(
  durationMs: number | null | undefined,
  minimumFractionDigits: 0 | 2,
): string {
  if (!isNumber(durationMs)) return noData;
  const sign = durationMs < 0 ? "−" : "";
  const ms = Math.abs(durationMs);
  if (Math.round(ms * 10) < 10) {
    const tenths = (value: number) => numberFormat({ maximumFractionDigits: 1 }).format(value);
    return ms > 0 && ms < 0.05 ? `${sign}<${tenths(0.1)} ms` : `${sign}${tenths(ms)} ms`;
  }
  if (Math.round(ms) < 1000) return `${sign}${Math.round(ms)} ms`;
  if (Math.round(ms / 10) < 6000) {
    const options = { minimumFractionDigits, maximumFractionDigits: 2 };
    return `${sign}${numberFormat(options).format(ms / 1000)} s`;
  }
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return sign + joinUnits(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return sign + joinUnits(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

/** How long to wait, in whole seconds: `42 s`, `8 min 16 s`. */
export function formatWait(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  return whole < 60 ? `${whole} s` : formatDuration(whole * 1000);
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = `${formatCount(large)} ${largeUnit}`;
  return small === 0 ? first : `${first} ${small} ${smallUnit}`;
}

/** `86 tok/s`; below ten with one decimal. */
export function formatSpeed(tokens: number, durationMs: number | null | undefined): string {
  if (!isNumber(durationMs) || durationMs <= 0 || !isNumber(tokens)) return noData;
  const speed = (tokens * 1000) / durationMs;
  const maximumFractionDigits = speed < 10 ? 1 : 0;
  return `${numberFormat({ maximumFractionDigits }).format(speed)} tok/s`;
}
