// The rows of a table as cards, for phones: each value with its title.

import type { JSX } from "solid-js";
import { children, For, Show } from "solid-js";
import { noData } from "../../lib/format.ts";
import { translateOf } from "../figures/machine-text.ts";
import { SelectControl } from "../forms/choices.tsx";
import {
  type Column,
  createPrecision,
  openRow,
  opensRow,
  RowOpener,
  type Sort,
  type TableProps,
} from "./table-row.tsx";

export function TableCards<Row>(props: TableProps<Row>): JSX.Element {
  const precisionOf = createPrecision(props);
  const cellOf = (column: Column<Row>, row: Row) => column.cell(row, () => precisionOf(column));
  const firstCell = (row: Row) => props.columns[0] && cellOf(props.columns[0], row);
  const isShown = ({ id, wideOnly }: Column<Row>) => wideOnly !== true || id === props.sort?.column;
  const others = () => props.columns.slice(1).filter(isShown);
  const isCompact = () => props.cards === "compact";
  /** In compact cards it stands at the end of the first line. */
  const last = () => (isCompact() ? others().at(-1) : undefined);
  return (
    <>
      {/* The list of models, the only one with cards of figures, has its own, with more to sort by. */}
      <Show when={props.cards !== "figures" && props.onSort}>
        {(onSort) => <SortChoice columns={props.columns} sort={props.sort} onSort={onSort()} />}
      </Show>
      <ul aria-label={props.caption} class="flex flex-col divide-y divide-border">
        <For each={props.rows}>
          {(row) => (
            // The link in it does by keyboard what a click anywhere in the card does.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <li
              data-row={props.rowKey(row)}
              class="px-5"
              classList={{
                "py-3": !isCompact(),
                "py-2": isCompact(),
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
                <Show when={last()}>
                  {(column) => (
                    <div class="ms-auto min-w-0 text-end">
                      <Named of={column()} cell={cellOf(column(), row)} />
                    </div>
                  )}
                </Show>
                <Show when={props.actions}>{(actions) => <div>{actions()(row)}</div>}</Show>
              </div>
              <Show
                when={isCompact()}
                fallback={
                  <dl class={`mt-1 gap-x-4 gap-y-1 text-sm ${layouts[props.cards ?? "lines"]}`}>
                    <For each={others()}>
                      {(column) => <Titled of={column} cell={cellOf(column, row)} />}
                    </For>
                  </dl>
                }
              >
                <div class="flex items-center gap-3 text-sm">
                  <For each={others().slice(0, -1)}>
                    {(column) => <Named of={column} cell={cellOf(column, row)} />}
                  </For>
                </div>
              </Show>
            </li>
          )}
        </For>
      </ul>
    </>
  );
}

type SortChoiceProps<Row> = Pick<TableProps<Row>, "columns" | "sort"> & {
  onSort: (sort: Sort) => void;
};

/** Instead of the headers. */
function SortChoice<Row>(props: SortChoiceProps<Row>): JSX.Element {
  const sortable = () => props.columns.filter((column) => column.sortable);
  return (
    <div class="border-b border-border px-5 py-2">
      <SelectControl
        label="Sort"
        small
        value={props.sort?.column ?? ""}
        onChange={(id) => {
          const column = sortable().find((one) => one.id === id);
          if (column) props.onSort({ column: id, descending: column.sortable !== "ascending" });
        }}
        choices={[
          ...(props.sort ? [] : [{ value: "", label: "Sort" }]),
          ...sortable().map(({ id, title }) => ({ value: id, label: `Sort: ${title}` })),
        ]}
      />
    </div>
  );
}

const layouts = {
  lines: "grid grid-cols-[auto_1fr]",
  paired: "grid grid-cols-[auto_1fr_auto_1fr]",
  figures: "flex flex-wrap *:flex *:gap-1.5",
  compact: "",
} as const;

type ValueProps<Row> = { of: Column<Row>; cell: JSX.Element };

function Titled<Row>(props: ValueProps<Row>): JSX.Element {
  const value = resolveValue(() => props.cell);
  return (
    <Show when={value.isGiven()}>
      <div class="contents">
        <dt translate={translateOf(props.of.title)} class="text-muted">
          {props.of.title}
        </dt>
        <dd class={`min-w-0 text-end ${props.of.class ?? ""}`}>{value.shown()}</dd>
      </div>
    </Show>
  );
}

/** A value whose title is read out and not shown. */
function Named<Row>(props: ValueProps<Row>): JSX.Element {
  const value = resolveValue(() => props.cell);
  return (
    <Show when={value.isGiven()}>
      <div class={`min-w-0 ${props.of.class ?? ""}`}>
        <span class="sr-only">{props.of.title}: </span>
        {value.shown()}
      </div>
    </Show>
  );
}

const nothing: readonly unknown[] = [noData, "", false, null, undefined];

/** Whether the row has the value: on a phone a dash is not worth a line. */
function resolveValue(cell: () => JSX.Element) {
  const shown = children(cell);
  return { shown, isGiven: () => shown.toArray().some((part) => !nothing.includes(part)) };
}
