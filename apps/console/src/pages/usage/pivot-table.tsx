// The measure by two dimensions: rows in order of size, a column per value of the second, each number a link to its
// requests.

import { A } from "@solidjs/router";
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { decimalsOfSums, noData } from "../../lib/format.ts";
import { orderBy, sortRows } from "../../lib/sort-rows.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import { formatValue } from "../../ui/charts/value-text.ts";
import { Money, Tokens } from "../../ui/figures/figures.tsx";
import { translateOf } from "../../ui/figures/machine-text.ts";
import type { Column, Sort } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { requestsHref } from "./logs-filter.ts";
import { dimensionNames, labelOf, measures } from "./measures.ts";
import type { Explored } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

type Row = Explored["rows"][number];
type PivotTableProps = {
  found: Explored;
  view: UsageView;
  keys: readonly Key[];
  busy: boolean;
};

export default function PivotTable(props: PivotTableProps): JSX.Element {
  const { view } = props;
  const title = () => {
    const across = view.columns();
    const by = `${measures[view.measure()].name} by ${dimensionNames[view.rows()].toLowerCase()}`;
    return across ? `${by} and ${dimensionNames[across].toLowerCase()}` : by;
  };
  const columns = createMemo(() => columnsOf(props));
  const rows = createMemo(() => sortFound(props.found.rows, view.get("sort")));
  return (
    <TableCard
      title={title()}
      columns={columns()}
      rows={rows()}
      rowKey={(row) => row.id ?? "(other)"}
      busy={props.busy}
      sort={view.get("sort")}
      onSort={(sort) => view.set({ sort }, { replace: true })}
      rowHref={(row) => requestsHref(props, [row])}
    />
  );
}

function columnsOf(props: PivotTableProps): readonly Column<Row>[] {
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
          (row) => requestsHref(props, [row, column]),
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
