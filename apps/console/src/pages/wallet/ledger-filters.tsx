// Narrows the ledger: by type and by days.
import type { JSX } from "solid-js";
import { choicesOf } from "../../ui/forms/choices.tsx";
import { DayField } from "../../ui/forms/day-field.tsx";
import { FilterBar, FilterSelect } from "../../ui/tables/filter-bar.tsx";
import { typeNames } from "./ledger-columns.tsx";
import type { LedgerView } from "./ledger-query.ts";

export function LedgerFilterBar(props: { view: LedgerView }): JSX.Element {
  const { get, filter } = props.view;
  return (
    <FilterBar narrowed={props.view} inCard>
      <FilterSelect
        label="Type"
        value={get("type")}
        onChange={(type) => filter({ type })}
        any="All types"
        choices={choicesOf(typeNames)}
      />
      <DayField
        label="From"
        value={get("from")}
        max={get("to")}
        onChange={(from) => filter({ from })}
      />
      <DayField label="To" value={get("to")} min={get("from")} onChange={(to) => filter({ to })} />
    </FilterBar>
  );
}
