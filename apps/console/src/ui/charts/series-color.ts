// The colors of series as classes: they are theme variables, so switching the theme recolors immediately.
import type { SeriesColor } from "./chart-series.ts";

const fills = {
  1: "fill-(--series-1)",
  2: "fill-(--series-2)",
  3: "fill-(--series-3)",
  4: "fill-(--series-4)",
  5: "fill-(--series-5)",
  6: "fill-(--series-6)",
  other: "fill-(--series-other)",
  success: "fill-success",
  danger: "fill-danger",
} as const satisfies Record<SeriesColor, string>;

const strokes = {
  1: "stroke-(--series-1)",
  2: "stroke-(--series-2)",
  3: "stroke-(--series-3)",
  4: "stroke-(--series-4)",
  5: "stroke-(--series-5)",
  6: "stroke-(--series-6)",
  other: "stroke-(--series-other)",
  success: "stroke-success",
  danger: "stroke-danger",
} as const satisfies Record<SeriesColor, string>;

export function fillOf(color: SeriesColor): string {
  return fills[color];
}

export function strokeOf(color: SeriesColor): string {
  return strokes[color];
}
