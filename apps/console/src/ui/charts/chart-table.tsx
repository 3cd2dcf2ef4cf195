// The numbers of a chart as a table, with the totals the cards show, and the same as CSV.
import { writeCsv } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo, createUniqueId, For, Show } from "solid-js";
import { decimalsToSay } from "../../lib/format.ts";
import { Money } from "../figures/figures.tsx";
import type { ChartModel } from "./chart-model.ts";
import { bucketTotals, sumOf } from "./chart-series.ts";
import { plotHeight } from "./geometry.ts";
import { formatValue } from "./value-text.ts";

/** Newest first, where people look. Hidden series are counted too. */
export function ChartTable(props: { model: ChartModel }): JSX.Element {
  const captionId = createUniqueId();
  const { model } = props;
  const stacked = () => model.props.kind === "bars";
  const totals = createMemo(() => bucketTotals(model.series(), model.count()));
  // In full, so that rows and columns add up.
  const decimals = createMemo(() =>
    decimalsToSay([
      ...totals(),
      ...model.series().flatMap(({ values }) => values.filter((value) => value !== null)),
    ]),
  );
  const rows = createMemo(() =>
    Array.from({ length: model.count() }, (_, index) => model.count() - 1 - index),
  );
  return (
    <section
      aria-labelledby={captionId}
      tabindex={0}
      class={`overflow-auto rounded-control border border-border -outline-offset-2! ${plotHeight(model.props.short)}`}
    >
      <table class="figures w-full border-separate border-spacing-0 text-sm">
        <caption id={captionId} class="sr-only">
          {model.props.title}, as a table
        </caption>
        <thead>
          <tr>
            <HeadCell text="From" start />
            <Show when={stacked()}>
              <HeadCell text="Total" />
            </Show>
            <For each={model.series()}>{(series) => <HeadCell text={series.label} />}</For>
          </tr>
        </thead>
        <tbody>
          <For each={rows()}>
            {(index) => (
              <tr>
                <th
                  scope="row"
                  class="sticky start-0 bg-bg px-3 py-1 text-start font-normal whitespace-nowrap"
                >
                  {model.fullName(index)}
                </th>
                <Show when={stacked()}>
                  <Cell model={model} decimals={decimals()} value={totals()[index] ?? "0"} />
                </Show>
                <For each={model.series()}>
                  {(series) => (
                    <Cell
                      model={model}
                      decimals={decimals()}
                      value={series.values[index] ?? null}
                    />
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
        <Show when={stacked()}>
          <tfoot class="font-medium">
            <tr>
              <th scope="row" class={`${footClass} start-0 z-10 text-start`}>
                Total
              </th>
              <Cell model={model} decimals={decimals()} value={sumOf(totals())} foot />
              <For each={model.series()}>
                {(series) => <Cell model={model} decimals={decimals()} value={series.total} foot />}
              </For>
            </tr>
          </tfoot>
        </Show>
      </table>
    </section>
  );
}

const footClass = "sticky bottom-0 border-t border-border bg-surface px-3 py-1.5";

function HeadCell(props: { text: string; start?: boolean }): JSX.Element {
  return (
    <th
      scope="col"
      class="sticky top-0 border-b border-border bg-surface px-3 py-1.5 text-xs font-medium whitespace-nowrap text-muted"
      classList={{
        "text-start start-0 z-10": props.start === true,
        "text-end": props.start !== true,
      }}
    >
      {props.text}
    </th>
  );
}

type CellProps = {
  model: ChartModel;
  /** Of all amounts of the table. */
  decimals: number;
  value: string | null;
  foot?: boolean;
};

function Cell(props: CellProps): JSX.Element {
  const unit = () => props.model.props.unit;
  const shown = () => props.value ?? (props.model.props.kind === "bars" ? "0" : null);
  return (
    <td class={`text-end whitespace-nowrap ${props.foot ? footClass : "px-3 py-1"}`}>
      <Show when={unit() === "usd" && shown()} fallback={formatValue(unit(), shown())}>
        {(usd) => <Money usd={usd()} decimals={props.decimals} inRow />}
      </Show>
    </td>
  );
}

/** Exact values, oldest first, with the totals of each bucket but no row of totals. */
export function csvOf(model: ChartModel): string {
  const stacked = model.props.kind === "bars";
  const empty = stacked ? "0" : "";
  const totals = bucketTotals(model.series(), model.count());
  const head = ["from", ...model.series().map((series) => series.label)];
  const rows = model.props.buckets.map((bucket, index) => [
    bucket.at,
    ...model.series().map((series) => series.values[index] ?? empty),
    ...(stacked ? [totals[index] ?? "0"] : []),
  ]);
  return writeCsv(stacked ? [...head, "total"] : head, rows);
}
