// What a key has spent, against the limit that is closest to being reached.
import type { BudgetPeriod } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatAmount } from "../../lib/format.ts";
import { namesOf } from "../../lib/names-of.ts";
import { MoneyText } from "../../ui/figures/figures.tsx";
import { Meter } from "../limits/meter.tsx";

export type Key = Answers["keys"]["list"][number];

/** Share of the limit that is spent, from exact strings; for meters only. */
export function shareOf(period: Key["spend"][BudgetPeriod]): number {
  if (period.limitUsd === null) return 0;
  const limit = Number(period.limitUsd);
  if (limit === 0) return 1;
  return Math.min(1, Number(period.spentUsd) / limit);
}

/** The limit that is closest to being reached; undefined for a key without limits. */
export function tightestPeriod(key: Key): BudgetPeriod | undefined {
  const limited = periods.filter((name) => key.spend[name].limitUsd !== null);
  return limited.toSorted((a, b) => shareOf(key.spend[b]) - shareOf(key.spend[a]))[0];
}

/** What the list shows as spent: in the tightest period, else in total. */
export function spentUsd(key: Key): string {
  return key.spend[tightestPeriod(key) ?? "total"].spentUsd;
}

/** `decimals`: of all keys listed with it. */
export function KeySpend(props: { of: Key; decimals?: number | undefined }): JSX.Element {
  const name = () => tightestPeriod(props.of);
  return (
    <Show when={name()} fallback={<InTotal {...props} />}>
      {(period) => (
        <span class="inline-flex flex-col">
          <SpendMeter name={period()} period={props.of.spend[period()]} decimals={props.decimals} />
          <Show when={period() !== "total"}>
            <span class="text-xs text-muted">
              <InTotal {...props} />
            </span>
          </Show>
        </span>
      )}
    </Show>
  );
}

function InTotal(props: { of: Key; decimals?: number | undefined }): JSX.Element {
  return (
    <span class="figures">
      <MoneyText
        usd={props.of.spend.total.spentUsd}
        kind="sum"
        decimals={props.decimals}
        inRow
        text={(spent) => `${spent} in total`}
      />
    </span>
  );
}

type SpendMeterProps = {
  name: BudgetPeriod;
  period: Key["spend"][BudgetPeriod];
  decimals?: number | undefined;
};

/** After an amount spent. */
export const periodEnds = {
  day: " today",
  week: " this week",
  month: " this month",
  total: "",
} as const satisfies Record<BudgetPeriod, string>;

export const periods = namesOf(periodEnds);

export function SpendMeter(props: SpendMeterProps): JSX.Element {
  return (
    <span class="inline-flex min-w-36 flex-col gap-1.5">
      <span class="figures text-sm sm:whitespace-nowrap">
        <MoneyText
          usd={props.period.spentUsd}
          kind="sum"
          decimals={props.decimals}
          inRow
          text={(spent) =>
            `${spent} of ${formatAmount(props.period.limitUsd ?? "0")}${periodEnds[props.name]}`
          }
        />
      </span>
      <Meter share={shareOf(props.period)} />
    </span>
  );
}
