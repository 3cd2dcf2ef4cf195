// A bar with parts of a whole, one upon the other: the text beside it says the same. An SVG, because a native meter
// cannot be colored.
import type { JSX } from "solid-js";
import { For } from "solid-js";

export type BarPart = {
  /** Of the whole: 0 to 1. */
  readonly from?: number;
  readonly share: number;
  readonly class: string;
};

export function Bar(props: { parts: readonly BarPart[]; class: string }): JSX.Element {
  return (
    <svg
      aria-hidden="true"
      class={`shrink-0 overflow-hidden rounded-full ${props.class}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
    >
      <rect width="100" height="6" class="fill-border" />
      <For each={props.parts}>
        {(part) => (
          <rect
            x={100 * (part.from ?? 0)}
            width={100 * part.share}
            height="6"
            data-fill=""
            class={part.class}
          />
        )}
      </For>
    </svg>
  );
}
