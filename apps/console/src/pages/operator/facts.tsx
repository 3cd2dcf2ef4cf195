// Facts as a list of names and values.
import type { JSX } from "solid-js";
import { For } from "solid-js";

type Fact = readonly [label: string, value: JSX.Element];

export function Facts(props: { of: readonly Fact[] }): JSX.Element {
  return (
    <dl class="grid gap-y-1.5 text-sm sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-6">
      <For each={props.of}>
        {([label, value]) => (
          // On phones a value that does not fit beside its name is below it.
          <div class="flex flex-wrap justify-between gap-x-6 sm:contents">
            <dt class="text-muted">{label}</dt>
            <dd class="wrap-anywhere">{value}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}
