// Placeholders with the final geometry. Nothing shows for the first 150 ms, but the space is reserved
// immediately, so that nothing moves.
import type { JSX } from "solid-js";
import { createSignal, For, onCleanup, Show } from "solid-js";

export const skeletonDelayMs = 150;

/** False for the first 150 ms. */
export function createDelay(delayMs = skeletonDelayMs): () => boolean {
  const [passed, setPassed] = createSignal(false);
  const timer = setTimeout(() => setPassed(true), delayMs);
  onCleanup(() => clearTimeout(timer));
  return passed;
}

/** A bar as large as the final content: set width and height by classes. */
export function Skeleton(props: { class: string }): JSX.Element {
  const passed = createDelay();
  return (
    <span
      aria-hidden="true"
      class={`block rounded-control ${props.class}`}
      classList={{ "animate-pulse bg-neutral-tint": passed() }}
    />
  );
}

/** `bare`: within a card that has the padding. */
export function SkeletonRows(props: {
  rows?: number;
  rowClass?: string;
  bare?: boolean;
}): JSX.Element {
  return (
    <div role="status" class="flex flex-col gap-3" classList={{ "p-5": props.bare !== true }}>
      <span class="sr-only">Loading…</span>
      <For each={Array.from({ length: props.rows ?? 5 })}>
        {(_, index) => (
          <Skeleton
            class={`${props.rowClass ?? "h-5"} ${index() % 3 === 2 ? "w-3/5" : index() % 3 === 1 ? "w-4/5" : "w-full"}`}
          />
        )}
      </For>
    </div>
  );
}

/** Over a table or chart while a filter reloads; the old rows stay, dimmed. */
export function ProgressBar(props: { active: boolean; label?: string }): JSX.Element {
  return (
    <div class="relative h-0">
      <Show when={props.active}>
        <div
          role="status"
          class="absolute inset-x-0 top-0 z-20 h-0.5 overflow-hidden bg-neutral-tint"
        >
          <span class="sr-only">{props.label ?? "Filtering…"}</span>
          <div class="h-full w-1/3 animate-progress bg-brand" />
        </div>
      </Show>
    </div>
  );
}

/** Keeps the place of a menu at the end of a row until it is loaded. */
export function MenuPlace(): JSX.Element {
  return <span class="block size-9 pointer-coarse:size-11" />;
}
