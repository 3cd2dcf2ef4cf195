// The axis of a chart: from zero, with at most five round ticks.
import { scaleLinear } from "d3-scale";
import { formatUsd } from "../../lib/format.ts";
import { type ChartUnit, numberFormats } from "./value-text.ts";

const ticksMax = 5;

export type Axis = {
  readonly top: number;
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
};

/** `largest` is a float for drawing only. */
export function axisOf(unit: ChartUnit, largest: number): Axis {
  if (!(largest > 0)) return { top: 1, ticks: [{ value: 0, label: tickLabel(unit, 0, 0) }] };
  const least = unit === "count" ? Math.max(largest, 1) : largest;
  for (let wanted = ticksMax - 1; wanted > 0; wanted -= 1) {
    const scale = scaleLinear().domain([0, least]).nice(wanted);
    const values = scale.ticks(wanted).filter((tick) => unit !== "count" || Number.isInteger(tick));
    if (values.length > ticksMax) continue;
    const step = (values[1] ?? least) - (values[0] ?? 0);
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const ticks = values.map((value) => ({ value, label: tickLabel(unit, value, decimals) }));
    return { top: scale.domain()[1] ?? least, ticks };
  }
  return { top: least, ticks: [{ value: 0, label: tickLabel(unit, 0, 0) }] };
}

function tickLabel(unit: ChartUnit, value: number, decimals: number): string {
  // Zero apart, all of an axis have as many decimals: $0.010 between $0.005 and $0.015.
  const shown = value === 0 ? 2 : Math.min(Math.max(decimals, 2), 12);
  if (unit === "usd") return formatUsd(value.toFixed(shown));
  return numberFormats[unit].tick(value);
}
