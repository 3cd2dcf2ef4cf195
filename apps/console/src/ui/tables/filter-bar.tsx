// The bar that narrows a list: fields side by side, "Clear filters" while one is set. What they are set to is in the
// address of the page.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Button } from "../buttons/button.tsx";
import { type Choice, SelectControl } from "../forms/choices.tsx";
import type { Narrowed } from "./table-states.tsx";

type FilterBarProps = {
  narrowed: Narrowed;
  children: JSX.Element;
  /** At the end of the bar, such as "Refresh". */
  end?: JSX.Element;
  /** Above the rows of a card; else above the cards of a page. */
  inCard?: boolean;
};

export function FilterBar(props: FilterBarProps): JSX.Element {
  return (
    <div
      class="flex flex-wrap items-center gap-2"
      classList={{
        "border-b border-border px-5 py-3": props.inCard === true,
        "mb-4": props.inCard !== true,
      }}
    >
      {props.children}
      <Show when={props.narrowed.filterCount() > 0}>
        <Button size="small" variant="ghost" onClick={() => props.narrowed.clear()}>
          Clear filters
        </Button>
      </Show>
      <Show when={props.end}>
        <div class="ms-auto flex items-center gap-2">{props.end}</div>
      </Show>
    </div>
  );
}

type FilterSelectProps<Value extends string> = {
  label: string;
  value: Value | "";
  onChange: (value: Value | "") => void;
  /** The choice that does not narrow: "All statuses". */
  any: string;
  choices: readonly Choice<Value>[];
};

export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>): JSX.Element {
  return (
    <SelectControl
      label={props.label}
      small
      value={props.value}
      onChange={props.onChange}
      choices={[{ value: "" as const, label: props.any }, ...props.choices]}
    />
  );
}
