// How high a plot is, in pixels of the design: fixed, also for what stands there while it loads.

export function plotHeight(short: boolean | undefined): string {
  return short ? "h-32" : "h-40 sm:h-60";
}
