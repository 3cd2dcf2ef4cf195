// The menu at the end of a table's header that hides and shows columns.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { Columns } from "../icons.ts";
import { Menu, MenuCheck } from "../menus/menu.tsx";
import type { ColumnChoice } from "./use-columns.ts";

type ColumnMenuProps = {
  columns: readonly { readonly id: string; readonly title: string }[];
  choice: ColumnChoice;
};

export default function ColumnMenu(props: ColumnMenuProps): JSX.Element {
  return (
    <Menu
      label="Columns"
      trigger={<Columns class="size-4" aria-hidden="true" />}
      triggerClass="inline-flex size-6 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text pointer-coarse:size-11"
    >
      <For each={props.columns}>
        {(column) => (
          <MenuCheck
            checked={!props.choice.isHidden(column.id)}
            onChange={() => props.choice.toggle(column.id)}
          >
            {column.title}
          </MenuCheck>
        )}
      </For>
    </Menu>
  );
}
