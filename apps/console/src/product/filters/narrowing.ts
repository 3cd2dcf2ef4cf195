// A chart of a page whose range is in the address: a part of it that is selected becomes the range, and "Reset" goes
// back to the usual one.
import type { ChosenRange } from "../../lib/time-range.ts";
import type { ChartRange } from "../../ui/charts/chart-model.ts";

export type RangedView = {
  readonly get: (name: "range") => ChosenRange;
  readonly set: (change: { range?: ChosenRange | undefined }) => void;
  readonly timeZone: () => string;
};

/** Props of its chart. */
export function narrowing(view: RangedView) {
  const reset = () => view.set({ range: undefined });
  return {
    get timeZone() {
      return view.timeZone();
    },
    onNarrow: (range: ChartRange) => view.set({ range: { name: "custom", ...range } }),
    get onReset() {
      return view.get("range").name === "custom" ? reset : undefined;
    },
  };
}
