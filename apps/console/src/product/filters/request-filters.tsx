// What requests are narrowed by: a range, and filters with several values. Menus in a bar on wide screens, checkboxes in a
// sheet with a count on phones.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { Button, buttonClass, DialogActions } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Checkbox } from "../../ui/forms/choices.tsx";
import { usePhone } from "../../ui/layout/use-media.ts";
import { Menu, MenuCheck } from "../../ui/menus/menu.tsx";
import { FilterBar } from "../../ui/tables/filter-bar.tsx";
import type { Narrowed } from "../../ui/tables/table-states.tsx";
import type { RangedView } from "./narrowing.ts";
import { RangePicker } from "./range-picker.tsx";

export type FilterGroup = {
  readonly id: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
};

/** A view whose range and filters are in the address. */
export type FilteredView = RangedView & Narrowed;

type RequestFiltersProps = {
  view: FilteredView;
  groups: readonly FilterGroup[];
  /** Other controls; in the sheet on phones. */
  children?: JSX.Element;
  /** At the end of the bar, such as "Refresh". */
  end?: JSX.Element;
};

export function RequestFilters(props: RequestFiltersProps): JSX.Element {
  const phone = usePhone();
  return (
    <FilterBar narrowed={phone() ? inSheet : props.view} end={props.end}>
      <RangePicker
        range={props.view.get("range")}
        timeZone={props.view.timeZone()}
        onChange={(range) => props.view.set({ range })}
      />
      <Show when={phone()} fallback={<WideFilters {...props} />}>
        <FilterSheet {...props} />
      </Show>
    </FilterBar>
  );
}

/** The sheet clears its filters itself. */
const inSheet = { filterCount: () => 0, clear: () => undefined };

function WideFilters(props: RequestFiltersProps): JSX.Element {
  return (
    <>
      <For each={props.groups}>{(group) => <FilterMenu group={group} />}</For>
      {props.children}
    </>
  );
}

function FilterMenu(props: { group: FilterGroup }): JSX.Element {
  const name = () => {
    const { label, chosen, options } = props.group;
    if (chosen.length === 0) return label;
    const only = options.find((option) => option.value === chosen[0])?.label ?? chosen[0] ?? "";
    return chosen.length === 1 ? `${label}: ${only}` : `${label}: ${chosen.length}`;
  };
  return (
    <Menu
      label={name()}
      placement="bottom-start"
      text={name()}
      triggerClass={`${buttonClass({ size: "small" })} max-w-64 font-normal!`}
    >
      <For
        each={props.group.options}
        fallback={<p class="px-2.5 py-2 text-sm text-muted">No options</p>}
      >
        {(option) => (
          <MenuCheck
            checked={props.group.chosen.includes(option.value)}
            onChange={(checked) => toggle(props.group, option.value, checked)}
          >
            <span class="truncate">{option.label}</span>
          </MenuCheck>
        )}
      </For>
    </Menu>
  );
}

function FilterSheet(props: RequestFiltersProps): JSX.Element {
  const [open, setOpen] = createSignal(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {props.view.filterCount() > 0 ? `Filters (${props.view.filterCount()})` : "Filters"}
      </Button>
      <Dialog open={open()} onOpenChange={setOpen} title="Filters">
        <div class="flex flex-col gap-6">
          <div class="flex flex-col gap-3">{props.children}</div>
          <For each={props.groups}>
            {(group) => (
              <fieldset class="flex flex-col gap-1">
                <legend class="mb-1 font-medium">{group.label}</legend>
                <For each={group.options}>
                  {(option) => (
                    <Checkbox
                      label={option.label}
                      checked={group.chosen.includes(option.value)}
                      onChange={(checked) => toggle(group, option.value, checked)}
                    />
                  )}
                </For>
              </fieldset>
            )}
          </For>
        </div>
        <DialogActions>
          <Show when={props.view.filterCount() > 0}>
            <Button onClick={() => props.view.clear()}>Clear filters</Button>
          </Show>
          <Button variant="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function toggle(group: FilterGroup, value: string, checked: boolean): void {
  const others = group.chosen.filter((chosen) => chosen !== value);
  group.onChange(checked ? [...others, value] : others);
}
