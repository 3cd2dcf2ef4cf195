// The height of a plot in pixels: fixed, also for its placeholder.

export function plotHeight(short: boolean | undefined): string {
  return short ? "h-32" : "h-40 sm:h-60";
}
