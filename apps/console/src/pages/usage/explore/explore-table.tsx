// The measure by two dimensions: rows in order of size, a column per value of the second, each number a link to its
// requests; and the same as CSV with exact values.

import { A } from "@solidjs/router";
import { compareDecimals, writeCsv } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { downloadFile } from "../../../lib/download-file.ts";
import { decimalsOfSums, noData } from "../../../lib/format.ts";
import { orderBy, sortRows } from "../../../lib/sort-rows.ts";
import { resolveRange } from "../../../lib/time-range.ts";
import { formatValue } from "../../../ui/charts/value-text.ts";
import { Money, Tokens } from "../../../ui/figures.tsx";
import { translateOf } from "../../../ui/machine-text.ts";
import type { Column, Sort } from "../../../ui/table.tsx";
import { TitledTable } from "../../../ui/titled-table.tsx";
import type { Key } from "../../shared/key-spend.tsx";
import { dimensionNames, labelOf, measures, type Value } from "./dimensions.ts";
import type { Explored } from "./explore-chart.tsx";
import { logsFilterOf, statusFilterOf } from "./logs-filter.ts";
import type { ExploreView } from "./use-explore-view.ts";

type Row = Explored["rows"][number];
type ExploreTableProps = {
  found: Explored;
  view: ExploreView;
  keys: readonly Key[];
  busy: boolean;
};

export function ExploreTable(props: ExploreTableProps): JSX.Element {
  const { view } = props;
  const title = () => {
    const across = view.columns();
    const by = `${measures[view.measure()].name} by ${dimensionNames[view.rows()].toLowerCase()}`;
    return across ? `${by} and ${dimensionNames[across].toLowerCase()}` : by;
  };
  const columns = createMemo(() => columnsOf(props));
  const rows = createMemo(() => sortFound(props.found.rows, view.get("sort")));
  return (
    <TitledTable
      title={title()}
      columns={columns()}
      rows={rows()}
      rowKey={(row) => row.id ?? "(other)"}
      busy={props.busy}
      sort={view.get("sort")}
      onSort={(sort) => view.set({ sort }, { replace: true })}
      rowHref={(row) => logsHref(props, [row])}
    />
  );
}

/** The requests behind a row, or behind a cell of it. */
function logsHref(
  { view, keys }: ExploreTableProps,
  [row, column]: readonly [Value, Value?],
): string | undefined {
  if (!view.mayReadLogs()) return undefined;
  const across = view.columns();
  const timeZone = view.timeZone();
  const filter = logsFilterOf(
    [[view.rows(), row], ...(column && across ? ([[across, column]] as const) : [])],
    {
      keys,
      timeZone,
      range: resolveRange(view.get("range"), timeZone, new Date()),
      keyIds: view.get("keys"),
    },
  );
  const isErrors = view.measure() === "errors";
  const ofPage = filter?.status ? {} : statusFilterOf(view.get("status"), isErrors);
  return filter && ofPage && view.logsHref({ ...ofPage, ...filter });
}

function columnsOf(props: ExploreTableProps): readonly Column<Row>[] {
  const { view, found } = props;
  const { unit, isSum } = measures[view.measure()];
  const timeZone = view.timeZone();
  const number = (
    id: string,
    title: string,
    read: (row: Row) => string | null,
    href: (row: Row) => string | undefined = () => undefined,
  ): Column<Row> => ({
    id,
    title,
    align: "end",
    sortable: true,
    ...(unit === "usd" && {
      // The same in all columns: the numbers of a row are compared with each other too.
      decimals: (all: readonly Row[]) =>
        decimalsOfSums(
          all.flatMap(({ cells, total }) => [...cells, total].map((usd) => usd ?? "0")),
        ),
    }),
    cell: (row, decimals) => (
      <Show when={read(row)} fallback={noData}>
        {(value) => (
          <Linked href={isNothing(value()) ? undefined : href(row)}>
            <Show when={unit === "usd"} fallback={formatValue(unit, value())}>
              <Money usd={value()} decimals={decimals()} inRow />
            </Show>
          </Linked>
        )}
      </Show>
    ),
  });
  const across = view.columns();
  const cells = across
    ? found.columns.map((column, place) =>
        number(
          `c${place}`,
          labelOf(across, column, timeZone),
          (row) => cellAt(row, place, isSum),
          (row) => logsHref(props, [row, column]),
        ),
      )
    : [];
  return [
    {
      id: "label",
      title: dimensionNames[view.rows()],
      cell: (row) => {
        const label = labelOf(view.rows(), row, timeZone);
        return <span translate={translateOf(label)}>{label}</span>;
      },
      class: "sm:min-w-40 wrap-anywhere",
    },
    number("total", across ? "Total" : measures[view.measure()].name, (row) => row.total),
    ...cells,
    ...(view.measure() === "requests"
      ? []
      : [
          {
            id: "requests",
            title: "Requests",
            align: "end" as const,
            sortable: true,
            cell: (row: Row) => <Tokens count={row.requests} inRow />,
          },
        ]),
  ];
}

/** Most pairs of two dimensions have nothing, which is no sum worth reading. */
function cellAt(row: Row, place: number, isSum: boolean): string | null {
  const value = row.cells[place] ?? null;
  return isSum && isNothing(value) ? null : value;
}

function isNothing(value: string | null): boolean {
  return value === null || compareDecimals(value, "0") === 0;
}

function Linked(props: { href: string | undefined; children: JSX.Element }): JSX.Element {
  return (
    <Show when={props.href} fallback={props.children}>
      {(href) => (
        <A
          href={href()}
          class="inline-flex min-h-6 min-w-6 items-center justify-end hover:underline"
        >
          {props.children}
        </A>
      )}
    </Show>
  );
}

function sortFound(rows: readonly Row[], sort: Sort | undefined): readonly Row[] {
  if (sort === undefined) return rows;
  const { column } = sort;
  const read = (row: Row) => {
    if (column === "total") return row.total;
    return column === "requests" ? `${row.requests}` : (row.cells[Number(column.slice(1))] ?? null);
  };
  return sortRows(rows, { [column]: orderBy(read, compareDecimals) }, sort);
}

export function exportTable(found: Explored, view: ExploreView): void {
  downloadFile(`explore-${view.measure()}.csv`, tableCsv(found, view));
}

/** A line per row, a column per column, times in ISO 8601. */
export function tableCsv(
  found: Explored,
  view: Pick<ExploreView, "measure" | "rows" | "columns">,
): string {
  const nameOf = ({ id, label }: Value) => (id?.match(/^\d{4}-.*Z$/) ? id : label);
  const head = [
    `${view.rows()}_id`,
    view.rows(),
    ...found.columns.map(nameOf),
    view.columns() ? `total_${view.measure()}` : view.measure(),
    "requests",
  ];
  const rows = found.rows.map((row) => [
    row.id ?? "",
    nameOf(row),
    ...row.cells.map((value) => value ?? ""),
    row.total ?? "",
    row.requests,
  ]);
  return writeCsv(head, rows);
}
