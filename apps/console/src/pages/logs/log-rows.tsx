// The requests of a page or of the live list, in their card, with the keys that move through them.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { createStableRows } from "../../lib/stable-rows.ts";
import { Card } from "../../ui/card.tsx";
import { LogTable } from "./log-table.tsx";
import type { LogRow, LogsView } from "./use-logs-view.ts";
import { useRowKeys } from "./use-row-keys.ts";

type LogRowsProps = {
  rows: readonly LogRow[];
  view: LogsView;
  busy: boolean;
  /** Shown instead of no rows. */
  empty: JSX.Element;
};

export function LogRows(props: LogRowsProps): JSX.Element {
  const rows = createStableRows(() => props.rows);
  useRowKeys(props.view, rows);
  return (
    <Card flush>
      <Show when={rows().length > 0} fallback={props.empty}>
        <LogTable rows={rows()} view={props.view} busy={props.busy} />
      </Show>
    </Card>
  );
}
