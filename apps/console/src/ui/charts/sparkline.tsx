// A line without axes, as wide as its container, next to the figure it belongs to.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { JSX } from "solid-js";

const width = 100;
const height = 24;
const edge = 2;

/** Values are decimal strings from zero; drawn only, so it is hidden from screen readers. */
export default function Sparkline(props: { values: readonly string[] }): JSX.Element {
  const path = () => {
    const numbers = props.values.map(Number);
    const x = scaleLinear()
      .domain([0, Math.max(1, numbers.length - 1)])
      .range([edge, width - edge]);
    const y = scaleLinear()
      .domain([0, Math.max(...numbers, 0) || 1])
      .range([height - edge, edge]);
    const draw = line<number>()
      .x((_, index) => x(index))
      .y((value) => y(value));
    return draw(numbers) ?? "";
  };
  return (
    <svg
      aria-hidden="true"
      class="h-6 w-full"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
    >
      <path
        d={path()}
        class="fill-none stroke-brand stroke-[1.5]"
        vector-effect="non-scaling-stroke"
        stroke-linejoin="round"
      />
    </svg>
  );
}
