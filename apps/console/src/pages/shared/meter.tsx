// How much of a limit is used, as a bar: the text beside it says the same.
import type { JSX } from "solid-js";
import { Show } from "solid-js";

const nearlyFull = 0.8;

type MeterProps = {
  /** Spent, of the limit: 0 to 1. */
  share: number;
  /** Held by running calls, beside what is spent. */
  heldShare?: number;
};

/** An SVG, because a native meter cannot be colored. */
export function Meter(props: MeterProps): JSX.Element {
  const fill = () => {
    if (props.share >= 1) return "fill-danger";
    return props.share >= nearlyFull ? "fill-warning" : "fill-brand";
  };
  const used = () => Math.min(1, props.share + (props.heldShare ?? 0));
  return (
    <svg aria-hidden="true" data-fill="" class="h-1.5 w-full overflow-hidden rounded-full">
      <rect width="100%" height="100%" class="fill-border" />
      <Show when={used() > props.share}>
        <rect width={`${used() * 100}%`} height="100%" rx="3" class={`${fill()} opacity-40`} />
      </Show>
      <rect width={`${props.share * 100}%`} height="100%" rx="3" class={fill()} />
    </svg>
  );
}
