// The rows of a table as cards, for phones: each value with its title.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { createPrecision, openRow, opensRow, RowOpener, type TableProps } from "./table-row.tsx";

export function TableCards<Row>(props: TableProps<Row>): JSX.Element {
  const precisionOf = createPrecision(props);
  const firstCell = (row: Row) => {
    const [first] = props.columns;
    return first?.cell(row, () => precisionOf(first));
  };
  return (
    <ul aria-label={props.caption} class="flex flex-col divide-y divide-border">
      <For each={props.rows}>
        {(row) => (
          // The link in it does by keyboard what a click anywhere in the card does.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <li
            data-row={props.rowKey(row)}
            class="px-5 py-3"
            classList={{
              "cursor-pointer": opensRow(props, row),
              "bg-success-tint": props.highlighted === props.rowKey(row),
            }}
            onClick={openRow}
          >
            <div class="flex min-h-8 items-center justify-between gap-3">
              <div class="min-w-0 font-medium wrap-anywhere">
                <RowOpener {...props} row={row} cell={firstCell(row)} />
                <Show when={props.columns[0]?.under}>
                  {(under) => <div class="font-normal">{under()(row)}</div>}
                </Show>
              </div>
              <Show when={props.actions}>{(actions) => <div>{actions()(row)}</div>}</Show>
            </div>
            <dl class="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
              <For each={props.columns.slice(1).filter(({ wideOnly }) => wideOnly !== true)}>
                {(column) => (
                  <>
                    <dt class="text-muted">{column.title}</dt>
                    <dd class={`min-w-0 text-end ${column.class ?? ""}`}>
                      {column.cell(row, () => precisionOf(column))}
                    </dd>
                  </>
                )}
              </For>
            </dl>
          </li>
        )}
      </For>
    </ul>
  );
}
