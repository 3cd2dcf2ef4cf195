// Columns of the kinds that most tables have: words, ids, times, amounts, counts.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { decimalsOfSums, noData } from "../../lib/format.ts";
import { Money, Time, Tokens } from "../figures/figures.tsx";
import { StatusPill, type Tone } from "../figures/status-pill.tsx";
import type { Column } from "./table-row.tsx";

type More<Row> = Partial<Omit<Column<Row>, "id" | "title" | "cell">>;

/** Words of people, which may be long. */
export function textColumn<Row>(
  id: string,
  title: string,
  cell: (row: Row) => JSX.Element,
  more?: More<Row>,
): Column<Row> {
  return { id, title, cell, class: "wrap-anywhere", ...more };
}

/** Ids and names of machines. */
export function codeColumn<Row>(
  id: string,
  title: string,
  read: (row: Row) => string | null,
  more?: More<Row>,
): Column<Row> {
  const cell = (row: Row) => <span translate="no">{read(row) ?? noData}</span>;
  return { id, title, cell, class: "font-mono text-xs wrap-anywhere", ...more };
}

type TimeOptions = {
  readonly absolute?: boolean | "second";
  /** Said without a time. */
  readonly none?: string;
};

export function timeColumn<Row>(
  id: string,
  title: string,
  read: (row: Row) => string | null,
  { absolute, none = "Never" }: TimeOptions = {},
): Column<Row> {
  const cell = (row: Row) => (
    <Show when={read(row)} fallback={none}>
      {(at) => <Time at={at()} absolute={absolute} inRow />}
    </Show>
  );
  return { id, title, cell };
}

export function moneyColumn<Row>(
  id: string,
  title: string,
  read: (row: Row) => string,
  kind: "cost" | "sum" | "amount" | "balance" = "sum",
): Column<Row> {
  return { id, title, align: "end", cell: (row) => <Money usd={read(row)} kind={kind} inRow /> };
}

/** With as many decimals as all its rows need. */
export function sumColumn<Row>(id: string, title: string, read: (row: Row) => string): Column<Row> {
  return {
    id,
    title,
    align: "end",
    decimals: (rows) => decimalsOfSums(rows.map(read)),
    cell: (row, decimals) => <Money usd={read(row)} decimals={decimals()} inRow />,
  };
}

export function countColumn<Row>(
  id: string,
  title: string,
  read: (row: Row) => number | null,
): Column<Row> {
  return { id, title, align: "end", cell: (row) => <Tokens count={read(row)} inRow /> };
}

type Pill = { readonly tone: Tone; readonly name: string };

/** States that differ by color, icon and name. */
export function pillColumn<Row>(id: string, title: string, read: (row: Row) => Pill): Column<Row> {
  const cell = (row: Row) => <StatusPill tone={read(row).tone}>{read(row).name}</StatusPill>;
  return { id, title, cell };
}
