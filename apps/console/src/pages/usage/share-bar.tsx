// A share of a whole as a bar with its number.
import type { JSX } from "solid-js";
import { formatShare } from "../../lib/format.ts";

export function ShareBar(props: { share: number }): JSX.Element {
  return (
    <span class="inline-flex items-center gap-2">
      <svg
        aria-hidden="true"
        class="h-1.5 w-20 shrink-0 rounded-full"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
      >
        <rect width="100" height="6" class="fill-neutral-tint" />
        <rect width={100 * props.share} height="6" data-fill="" class="fill-brand" />
      </svg>
      <span class="figures text-sm">{formatShare(props.share)}</span>
    </span>
  );
}
