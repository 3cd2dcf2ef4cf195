// The menu of a request that filters the list by one of its values, for mouse, keyboard and touch.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { filterValues } from "./filter-values.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

type FilterMenuProps = {
  of: LogRow;
  view: LogsView;
  label?: string | undefined;
  trigger: JSX.Element;
  triggerClass: string;
};

export function FilterMenu(props: FilterMenuProps): JSX.Element {
  return (
    <Menu label={props.label} trigger={props.trigger} triggerClass={props.triggerClass}>
      <p class="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">Filter by</p>
      <For each={filterValues(props.of)}>
        {([text, change]) => (
          <MenuItem onSelect={() => props.view.narrowTo(change)}>
            <span class="min-w-0 wrap-anywhere">{text}</span>
          </MenuItem>
        )}
      </For>
    </Menu>
  );
}
