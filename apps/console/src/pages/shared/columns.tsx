// Columns of figures that several tables have: a count, and a sum of money with as many decimals as all its rows need.
import { decimalsOfSums } from "../../lib/format.ts";
import { Money, Tokens } from "../../ui/figures.tsx";
import type { Column } from "../../ui/table.tsx";

export function countColumn<Row>(
  id: string,
  title: string,
  read: (row: Row) => number,
): Column<Row> {
  return { id, title, align: "end", cell: (row) => <Tokens count={read(row)} inRow /> };
}

export function sumColumn<Row>(id: string, title: string, read: (row: Row) => string): Column<Row> {
  return {
    id,
    title,
    align: "end",
    decimals: (rows) => decimalsOfSums(rows.map(read)),
    cell: (row, decimals) => <Money usd={read(row)} decimals={decimals()} inRow />,
  };
}
