// What a request cost, line by line; the lines sum to the charge, to the last digit.

import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatCount, formatExactUsd, formatPrice } from "../../lib/format.ts";
import { Figure } from "../../ui/figures/figures.tsx";
import type { LogDetail } from "./use-log-detail.ts";

export function CostLines(props: { of: LogDetail }): JSX.Element {
  const shortfall = () => compareDecimals(props.of.shortfallUsd, "0") > 0;
  return (
    <>
      <Show when={compareDecimals(props.of.chargedUsd, "0") === 0}>
        <p class="mb-1 text-muted">Nothing was charged.</p>
      </Show>
      <dl class="flex flex-col">
        <For each={props.of.costLines}>
          {(line) => (
            <Line label={line.label} work={workOf(line)} amount={formatExactUsd(line.costUsd)} />
          )}
        </For>
        <Line label="Charged" amount={formatExactUsd(props.of.chargedUsd)} strong />
      </dl>
      <Show when={shortfall()}>
        <p class="mt-2 text-sm text-muted">
          <Figure>{formatExactUsd(props.of.shortfallUsd)}</Figure> over the reserved amount was
          waived.
        </p>
      </Show>
    </>
  );
}

/** `1,234 × $0.15 / 1M`. */
export function workOf(line: LogDetail["costLines"][number]): string | undefined {
  if (line.tokens === null || line.usdPerMillion === null) return undefined;
  return `${formatCount(line.tokens)} × ${formatPrice(line.usdPerMillion)}`;
}

type LineProps = {
  label: string;
  work?: string | undefined;
  amount: string;
  strong?: boolean;
};

function Line(props: LineProps): JSX.Element {
  return (
    <div
      class="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-border py-1.5 first:border-t-0"
      classList={{ "font-semibold": props.strong === true }}
    >
      <dt>
        {props.label}
        <Show when={props.work}>
          <span class="figures ms-2 text-sm text-muted">{props.work}</span>
        </Show>
      </dt>
      <dd translate="no" class="figures" data-charged={props.strong ? "" : undefined}>
        {props.amount}
      </dd>
    </div>
  );
}
