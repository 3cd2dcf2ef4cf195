// Facts as a list of names and values.
import type { JSX } from "solid-js";
import { For } from "solid-js";

type Fact = readonly [label: string, value: JSX.Element];

export function Facts(props: { of: readonly Fact[] }): JSX.Element {
  return (
    <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
      <For each={props.of}>
        {([label, value]) => (
          <>
            <dt class="text-muted">{label}</dt>
            <dd class="wrap-anywhere">{value}</dd>
          </>
        )}
      </For>
    </dl>
  );
}
