// Narrows the ledger: by type and by days.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Button } from "../../ui/button.tsx";
import { choicesOf, SelectControl } from "../../ui/choices.tsx";
import { DayField } from "../shared/day-field.tsx";
import { typeNames } from "./ledger-columns.tsx";
import type { LedgerView } from "./ledger-query.ts";

export function LedgerFilterBar(props: { view: LedgerView }): JSX.Element {
  const { get, filter, clear, isFiltered } = props.view;
  return (
    <div class="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-5 py-3">
      <SelectControl
        label="Type"
        small
        value={get("type")}
        onChange={(type) => filter({ type })}
        choices={[{ value: "", label: "All types" }, ...choicesOf(typeNames)]}
      />
      <DayField
        label="From"
        value={get("from")}
        max={get("to")}
        onChange={(from) => filter({ from })}
      />
      <DayField label="To" value={get("to")} min={get("from")} onChange={(to) => filter({ to })} />
      <Show when={isFiltered()}>
        <Button size="small" variant="ghost" onClick={clear}>
          Clear filters
        </Button>
      </Show>
    </div>
  );
}
