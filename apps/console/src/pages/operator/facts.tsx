// Facts as a list of names and values.
import type { JSX } from "solid-js";
import { For } from "solid-js";

type Fact = readonly [label: string, value: JSX.Element];

export function Facts(props: { of: readonly Fact[] }): JSX.Element {
  return (
    <dl class="grid gap-x-6 text-sm sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-y-1.5">
      <For each={props.of}>
        {([label, value]) => (
          <>
            <dt class="text-muted">{label}</dt>
            <dd class="mb-2 wrap-anywhere sm:mb-0">{value}</dd>
          </>
        )}
      </For>
    </dl>
  );
}
