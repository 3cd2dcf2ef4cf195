// Saves what Usage shows as a file.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Menu, MenuItem } from "../../ui/menus/menu.tsx";
import { exportCsv, exportJson, exportTable } from "./export-usage.ts";
import { isGroup } from "./measures.ts";
import type { Explored, Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

type ExportMenuProps = {
  usage: Usage | undefined;
  explored: Explored | undefined;
  view: UsageView;
};

/** What is not loaded yet cannot be saved. */
export default function ExportMenu(props: ExportMenuProps): JSX.Element {
  const { view } = props;
  return (
    <Menu text="Export">
      <Show when={isGroup(view.rows()) && props.usage}>
        {(usage) => (
          <MenuItem onSelect={() => exportCsv(usage(), view.groupBy())}>CSV over time</MenuItem>
        )}
      </Show>
      <Show when={props.explored}>
        {(explored) => (
          <MenuItem onSelect={() => exportTable(explored(), view)}>CSV of the measure</MenuItem>
        )}
      </Show>
      <Show when={props.usage}>
        {(usage) => <MenuItem onSelect={() => exportJson(usage())}>JSON</MenuItem>}
      </Show>
    </Menu>
  );
}
