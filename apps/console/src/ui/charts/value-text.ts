// Formats values of a chart, alone or shown together.
import {
  decimalsOfSums,
  formatCompact,
  formatCount,
  formatDuration,
  formatInColumn,
  formatRoundDuration,
  formatShare,
  formatSum,
  noData,
} from "../../lib/format.ts";

export type ChartUnit = "usd" | "count" | "ms" | "share";

export function formatValue(unit: ChartUnit, value: string | null): string {
  if (value === null) return noData;
  if (unit === "usd") return formatSum(value);
  return numberFormats[unit].full(Number(value));
}

/** Of values that are no amounts. */
export const numberFormats = {
  count: { full: formatCount, tick: formatCompact },
  ms: { full: formatDuration, tick: formatRoundDuration },
  share: { full: formatShare, tick: formatShare },
} as const;

/** For values shown together: amounts have one precision, like those of a column. */
export function formatTogether(
  unit: ChartUnit,
  values: readonly (string | null)[],
): (value: string | null) => string {
  if (unit !== "usd") return (value) => formatValue(unit, value);
  const decimals = decimalsOfSums(values.filter((value) => value !== null));
  return (value) => (value === null ? noData : formatInColumn(value, decimals));
}
