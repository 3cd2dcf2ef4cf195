// A share of a whole as a bar with its number.
import type { JSX } from "solid-js";
import { formatShare } from "../format.ts";

export function ShareBar(props: { share: number; label: string }): JSX.Element {
  return (
    <span class="inline-flex items-center gap-2">
      <meter
        min={0}
        max={1}
        value={props.share}
        aria-label={props.label}
        class="h-1.5 w-20 shrink-0"
      />
      <span class="figures text-sm">{formatShare(props.share)}</span>
    </span>
  );
}
