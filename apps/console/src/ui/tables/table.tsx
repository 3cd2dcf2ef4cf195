// A real table: caption, sortable headers, one link per row and its actions; below 640 px each row is a
// card with the same data. The header stays visible above the rows, and so does the first column if
// the table is wider than its container.

import type { JSX } from "solid-js";
import { createUniqueId, For, lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { translateOf } from "../figures/machine-text.ts";
import { ArrowDown, ArrowUp } from "../icons.ts";
import { usePhone } from "../layout/use-media.ts";
import { ProgressBar } from "../states/skeleton.tsx";
import { TableCards } from "./table-cards.tsx";
import {
  type Column,
  createPrecision,
  openRow,
  opensRow,
  RowOpener,
  type Sort,
  type TableProps,
} from "./table-row.tsx";
import { useColumns } from "./use-columns.ts";
import { createFit } from "./use-fit.ts";

export type { Column, Sort } from "./table-row.tsx";

const ColumnMenu = lazy(loadOnce(() => import("./column-menu.tsx")));

export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const phone = usePhone();
  return (
    <div>
      <ProgressBar active={props.busy === true} />
      <div class="transition-opacity" classList={{ "opacity-60": props.busy === true }}>
        <Show when={phone()} fallback={<WideTable {...props} />}>
          <TableCards {...props} />
        </Show>
      </div>
    </div>
  );
}

function WideTable<Row>(props: TableProps<Row>): JSX.Element {
  const captionId = createUniqueId();
  const choice = useColumns(() => props.columnsKey, props.columns);
  const columns = () => props.columns.filter(({ id }, at) => at === 0 || !choice.isHidden(id));
  const precisionOf = createPrecision(props);
  const fit = createFit();
  const hasEnd = () => props.actions !== undefined || props.columnsKey !== undefined;
  return (
    // Not a landmark: the card around it often has the same name.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups a table
    <div
      role="group"
      aria-labelledby={captionId}
      ref={fit.watchPlace}
      // A scrollable region must be reachable by keyboard; otherwise it is not a tab stop.
      tabindex={fit.isTight() ? 0 : undefined}
      data-scrolls={fit.isTight() ? "" : undefined}
      // At most as high as the window between the top bar and what is below the table, so that the
      // page never scrolls the header out of sight while its rows are visible.
      // Isolated: header and first column stack above the rows, but below everything around the table.
      // Contained and positioned: a wide table and its visually hidden content must not widen the page.
      class="group/table relative isolate contain-inline-size -outline-offset-2! data-scrolls:max-h-[max(14rem,calc(100dvh-11.5rem))] data-scrolls:overflow-auto"
    >
      <table ref={fit.watchContent} class="w-full border-separate border-spacing-0 text-sm">
        <caption id={captionId} class="sr-only">
          {props.caption}
        </caption>
        <thead>
          <tr>
            <For each={columns()}>
              {(column, index) => (
                <HeaderCell
                  column={column}
                  first={index() === 0}
                  sort={props.sort}
                  onSort={props.onSort}
                />
              )}
            </For>
            <Show when={hasEnd()}>
              <th scope="col" class={`${headClass} z-3 py-1 text-end last:pe-4`}>
                <Show when={props.actions} fallback={<span class="sr-only">Columns</span>}>
                  <span class="sr-only">Actions</span>
                </Show>
                <Show when={props.columnsKey}>
                  <Suspense fallback={<span class="inline-block size-6 pointer-coarse:size-11" />}>
                    <ColumnMenu columns={props.columns.slice(1)} choice={choice} />
                  </Suspense>
                </Show>
              </th>
            </Show>
          </tr>
        </thead>
        <tbody>
          <For each={props.rows}>
            {(row) => (
              <BodyRow
                {...props}
                columns={columns()}
                hasEnd={hasEnd()}
                precisionOf={precisionOf}
                row={row}
              />
            )}
          </For>
        </tbody>
      </table>
    </div>
  );
}

/** Below the top bar of the page, or at the top of the scroll container. */
const headClass =
  "sticky top-14 border-b border-border bg-surface px-2.5 group-data-scrolls/table:top-0";

type HeaderCellProps<Row> = {
  column: Column<Row>;
  first: boolean;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
};

function HeaderCell<Row>(props: HeaderCellProps<Row>): JSX.Element {
  const sorted = () => props.sort?.column === props.column.id;
  const descending = () => sorted() && props.sort?.descending === true;
  const direction = () => {
    if (!props.column.sortable) return undefined;
    if (!sorted()) return "none";
    return descending() ? "descending" : "ascending";
  };
  return (
    <th
      scope="col"
      translate={translateOf(props.column.title)}
      aria-sort={direction()}
      class={`${headClass} py-2 text-start text-xs font-medium whitespace-nowrap text-muted first:ps-5 last:pe-5`}
      classList={{
        "text-end!": props.column.align === "end",
        "z-3": !props.first,
        "start-0 z-4": props.first,
      }}
    >
      <Show
        when={props.column.sortable && props.onSort}
        fallback={
          <span classList={{ "sr-only": props.column.hideTitle === true }}>
            {props.column.title}
          </span>
        }
      >
        {(onSort) => (
          <button
            type="button"
            class="-mx-1.5 inline-flex min-h-6 items-center gap-1 rounded-control px-1.5 hover:text-text pointer-coarse:min-h-11"
            classList={{ "text-text": sorted() }}
            onClick={() =>
              onSort()({
                column: props.column.id,
                descending: sorted() ? !descending() : props.column.sortable !== "ascending",
              })
            }
          >
            {props.column.title}
            <Show when={sorted()}>
              {descending() ? (
                <ArrowDown class="size-3.5" aria-hidden="true" />
              ) : (
                <ArrowUp class="size-3.5" aria-hidden="true" />
              )}
            </Show>
          </button>
        )}
      </Show>
    </th>
  );
}

type BodyRowProps<Row> = TableProps<Row> & {
  row: Row;
  hasEnd: boolean;
  precisionOf: (column: Column<Row>) => number;
};

function BodyRow<Row>(props: BodyRowProps<Row>): JSX.Element {
  const linked = () => opensRow(props, props.row);
  const key = () => props.rowKey(props.row);
  return (
    // The link in it does by keyboard what a click anywhere in the row does.
    <tr
      data-row={key()}
      data-selected={props.current === key() ? "" : undefined}
      class="group bg-bg transition-colors data-selected:bg-info-tint"
      onClick={openRow}
      onAuxClick={openRow}
      classList={{
        "cursor-pointer hover:bg-surface has-[[data-row-opener]:focus-visible]:bg-surface":
          linked(),
        "bg-success-tint": props.highlighted === key(),
      }}
    >
      <For each={props.columns}>
        {(column, index) => {
          const base = `border-b border-border px-2.5 py-2 align-middle group-last:border-b-0 first:ps-5 last:pe-5 ${column.class ?? ""}`;
          const decimals = () => props.precisionOf(column);
          const align = column.align === "end" ? "text-end figures" : "";
          return index() === 0 ? (
            <th
              scope="row"
              class={`${base} ${align} sticky start-0 z-2 bg-inherit text-start font-normal`}
              classList={{ "w-full max-w-0": column.fills === true }}
            >
              <div classList={{ "flex min-w-52 items-center gap-2": column.fills === true }}>
                <RowOpener {...props} cell={column.cell(props.row, decimals)} />
                <Show when={column.under}>
                  {(under) => <div class="min-w-0">{under()(props.row)}</div>}
                </Show>
              </div>
            </th>
          ) : (
            <td class={`${base} ${align}`}>{column.cell(props.row, decimals)}</td>
          );
        }}
      </For>
      <Show when={props.hasEnd}>
        <td class="border-b border-border px-2.5 py-1 text-end align-middle group-last:border-b-0 last:pe-4">
          {props.actions?.(props.row)}
        </td>
      </Show>
    </tr>
  );
}
