// The actions of one row, as a menu.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { Menu, MenuItem } from "../../ui/menus/menu.tsx";
import type { AskedAction } from "./ask-action.ts";

type ActionMenuProps = {
  label: string;
  actions: readonly (readonly [label: string, action: AskedAction])[];
  onSelect: (action: AskedAction) => void;
};

export default function ActionMenu(props: ActionMenuProps): JSX.Element {
  return (
    <Menu label={props.label}>
      <For each={props.actions}>
        {([label, action]) => (
          <MenuItem changes destructive={action.destroys} onSelect={() => props.onSelect(action)}>
            {label}
          </MenuItem>
        )}
      </For>
    </Menu>
  );
}
