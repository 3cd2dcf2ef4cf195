// A column of prices per million tokens, all of them with as many decimals as the most exact one needs.
import { Show } from "solid-js";
import { decimalsOfRates, noData } from "../../lib/format.ts";
import { Rate } from "../../ui/figures/figures.tsx";
import type { Column } from "../../ui/tables/table.tsx";

/** `usdOf`: undefined where the row has no such price. `perMillion` shows the unit. */
export function rateColumn<Row>(
  id: string,
  title: string,
  usdOf: (row: Row) => string | undefined,
  perMillion = false,
): Column<Row> {
  return {
    id,
    title,
    align: "end",
    decimals: (rows) => decimalsOfRates(rows.flatMap((row) => usdOf(row) ?? [])),
    cell: (row, decimals) => (
      <Show when={usdOf(row)} fallback={noData}>
        {(usd) => <Rate usd={usd()} decimals={decimals()} perMillion={perMillion} inRow />}
      </Show>
    ),
  };
}
