// A share of a whole as a bar with its number.
import type { JSX } from "solid-js";
import { formatShare } from "../../lib/format.ts";
import { Bar } from "../../ui/figures/bar.tsx";

export function ShareBar(props: { share: number }): JSX.Element {
  return (
    <span class="inline-flex items-center gap-2">
      <Bar class="h-1.5 w-20" parts={[{ share: props.share, class: "fill-brand" }]} />
      <span class="figures text-sm">{formatShare(props.share)}</span>
    </span>
  );
}
