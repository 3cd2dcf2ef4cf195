// How much of a limit is used, as a bar: the text beside it says the same.
import type { JSX } from "solid-js";
import { Bar } from "../../ui/figures/bar.tsx";

const nearlyFull = 0.8;

type MeterProps = {
  /** Spent, of the limit: 0 to 1. */
  share: number;
  /** Held by running calls, beside what is spent. */
  heldShare?: number;
};

export function Meter(props: MeterProps): JSX.Element {
  const fill = () => {
    if (props.share >= 1) return "fill-danger";
    return props.share >= nearlyFull ? "fill-warning" : "fill-brand";
  };
  const used = () => Math.min(1, props.share + (props.heldShare ?? 0));
  return (
    <Bar
      class="h-1.5 w-full"
      parts={[
        { share: used(), class: `${fill()} opacity-40` },
        { share: props.share, class: fill() },
      ]}
    />
  );
}
