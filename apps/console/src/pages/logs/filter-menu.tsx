// The menu of a request: filters the list by one of its values, and chooses it for a comparison.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menus/menu.tsx";
import { filterValues } from "./filter-values.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

type FilterMenuProps = {
  of: LogRow;
  view: LogsView;
  label?: string | undefined;
  /** In the list: the sheet has a button. */
  compares?: boolean;
  text?: string;
  triggerClass?: string;
};

export function FilterMenu(props: FilterMenuProps): JSX.Element {
  return (
    <Menu label={props.label} text={props.text} size="small" triggerClass={props.triggerClass}>
      <Show when={props.compares}>
        <CompareItem id={props.of.id} view={props.view} />
      </Show>
      <p class="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">Filter by</p>
      <For each={filterValues(props.of)}>
        {([text, change]) => (
          <MenuItem onSelect={() => props.view.set({ ...change, id: "" })}>
            <span class="min-w-0 wrap-anywhere">{text}</span>
          </MenuItem>
        )}
      </For>
    </Menu>
  );
}

function CompareItem(props: { id: string; view: LogsView }): JSX.Element {
  const { chosenId, choose, open } = props.view;
  // As it was when the menu opened: a choice must not change the words of a menu that closes.
  const isFirst = chosenId() === undefined;
  return (
    <>
      <MenuItem onSelect={() => (isFirst ? choose : open)(props.id)}>
        {isFirst ? "Compare with…" : "Compare with the chosen request"}
      </MenuItem>
      <MenuSeparator />
    </>
  );
}
