// Where the parts of a plot are drawn, in pixels. The height is fixed, also for the placeholder.
import type { Axis } from "./axis.ts";

export type Geometry = {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly axis: Axis;
  /** Left edge of a bucket's bar. */
  readonly x: (index: number) => number;
  readonly barWidth: number;
  /** From one bucket to the next. */
  readonly step: number;
  readonly y: (value: number) => number;
};

export function plotHeight(short: boolean | undefined): string {
  return short ? "h-32" : "h-40 sm:h-60";
}
