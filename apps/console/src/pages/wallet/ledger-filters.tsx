// Narrows the ledger: by type and by days.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Button } from "../../ui/button.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { typeNames } from "./ledger-columns.tsx";
import { ledgerTypes, type useLedgerQuery } from "./ledger-query.ts";

export function LedgerFilterBar(props: { shown: ReturnType<typeof useLedgerQuery> }): JSX.Element {
  const { shown } = props;
  const types = [
    { value: "", label: "All types" },
    ...ledgerTypes.map((value) => ({ value: String(value), label: typeNames[value] })),
  ];
  return (
    <div class="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-5 py-3">
      <SelectControl
        label="Type"
        small
        value={shown.filters().type ?? ""}
        onChange={(type) => shown.filter({ type })}
        choices={types}
      />
      <DayField
        label="From"
        value={shown.filters().from}
        max={shown.filters().to}
        onChange={(from) => shown.filter({ from })}
      />
      <DayField
        label="To"
        value={shown.filters().to}
        min={shown.filters().from}
        onChange={(to) => shown.filter({ to })}
      />
      <Show when={shown.isFiltered()}>
        <Button size="small" variant="ghost" onClick={shown.clear}>
          Clear filters
        </Button>
      </Show>
    </div>
  );
}

type DayFieldProps = {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string) => void;
};

function DayField(props: DayFieldProps): JSX.Element {
  return (
    <label class="flex items-center gap-1.5 text-sm text-muted">
      <span class="min-w-9 sm:min-w-0">{props.label}</span>
      <input
        type="date"
        class="field h-8! w-auto! text-sm!"
        value={props.value ?? ""}
        min={props.min}
        max={props.max}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    </label>
  );
}
