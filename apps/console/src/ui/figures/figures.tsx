// Money, tokens, durations and times as shown in pages: short in the text, exact in the tooltip. A browser that translates
// the page leaves amounts and counts as they are.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import {
  formatAmount,
  formatBalance,
  formatCompact,
  formatCost,
  formatCount,
  formatDateTime,
  formatExactUsd,
  formatInColumn,
  formatInstant,
  formatMoment,
  formatPrice,
  formatRate,
  formatRelative,
  formatSigned,
  formatSum,
  isExactWith,
  noData,
} from "../../lib/format.ts";
import { useDisplayTimeZone } from "./time-zone.tsx";
import { Tooltip } from "./tooltip.tsx";
import { useNow } from "./use-now.ts";

type MoneyProps = {
  usd: string;
  /** `cost` for one request, `sum` for several, `signed` a sum with +/−, `balance` rounds down. */
  kind?: "cost" | "sum" | "balance" | "amount" | "signed" | undefined;
  /** In a column: the decimals of all its rows. */
  decimals?: number | undefined;
  inRow?: boolean | undefined;
};

const moneyFormats = {
  cost: formatCost,
  sum: formatSum,
  balance: formatBalance,
  amount: formatAmount,
  signed: formatSigned,
} as const;

export function Money(props: MoneyProps): JSX.Element {
  return (
    <Show when={!isExact(props)} fallback={<Figure>{print(props)}</Figure>}>
      <Rounded shown={print(props)} usd={props.usd} inRow={props.inRow} />
    </Show>
  );
}

function print({ usd, kind, decimals }: MoneyProps): string {
  if (decimals === undefined) return moneyFormats[kind ?? "cost"](usd);
  const inColumn = (amount: string) =>
    formatInColumn(amount, decimals, kind === "balance" ? "floor" : "half");
  return kind === "signed" ? formatSigned(usd, inColumn) : inColumn(usd);
}

/** Whether the text shown is already exact. */
function isExact(props: MoneyProps): boolean {
  const { usd, decimals } = props;
  if (decimals !== undefined) return isExactWith(usd, decimals);
  return print(props).replace("+", "") === formatExactUsd(usd);
}

/** An amount, a count or a share that is exact already. */
export function Figure(props: { children: JSX.Element }): JSX.Element {
  return (
    <span translate="no" class="figures">
      {props.children}
    </span>
  );
}

type RoundedProps = { shown: string; usd: string; inRow?: boolean | undefined };

/** Exact on hover; `data-exact` is for programs that read the page. */
function Rounded(props: RoundedProps): JSX.Element {
  const exact = () => formatExactUsd(props.usd);
  return (
    <Tooltip text={exact()} inRow={props.inRow} class="figures">
      <span translate="no" data-exact={exact()}>
        {props.shown}
      </span>
    </Tooltip>
  );
}

type MoneyTextProps = {
  /** A sentence around the amount, such as `(amount) => t("spend.month", { spent: amount })`. */
  text: (amount: string) => string;
} & MoneyProps;

const slot = "\u0000";

/** An amount inside a sentence, exact on hover and in copies. */
export function MoneyText(props: MoneyTextProps): JSX.Element {
  const around = () => props.text(slot).split(slot);
  return (
    <>
      {around()[0]}
      <Money {...props} />
      {around()[1]}
    </>
  );
}

type RateProps = {
  /** Per million tokens. */
  usd: string;
  /** Of all rows of its column. */
  decimals: number;
  /** Shows the unit: `$0.15 / 1M`. */
  perMillion?: boolean | undefined;
  inRow?: boolean | undefined;
};

/** A price; zero is "Free". */
export function Rate(props: RateProps): JSX.Element {
  const shown = () => {
    const format = props.perMillion ? formatPrice : formatRate;
    return format(props.usd, "Free", props.decimals);
  };
  return (
    <Show when={!isExactWith(props.usd, props.decimals)} fallback={<Figure>{shown()}</Figure>}>
      <Rounded shown={shown()} usd={props.usd} inRow={props.inRow} />
    </Show>
  );
}

type TokensProps = { count: number | null; compact?: boolean; inRow?: boolean };

/** Also for requests and other counts; compact only in cards and axes. */
export function Tokens(props: TokensProps): JSX.Element {
  const exact = () => formatCount(props.count);
  const shown = () => (props.compact ? formatCompact(props.count) : exact());
  return (
    <Show when={props.count !== null} fallback={noData}>
      <Show when={shown() !== exact()} fallback={<Figure>{shown()}</Figure>}>
        <Tooltip text={exact()} inRow={props.inRow} class="figures">
          <span translate="no">{shown()}</span>
        </Tooltip>
      </Show>
    </Show>
  );
}

type TimeProps = {
  /** ISO, as the API sends it; `null` is shown as "Never". */
  at: string | null;
  /** Always date and time, never "3 min ago"; to the minute unless given otherwise. */
  absolute?: boolean | "second" | "millisecond" | undefined;
  inRow?: boolean | undefined;
};

export function Time(props: TimeProps): JSX.Element {
  return (
    <Show when={props.at} fallback={<span class="text-muted">Never</span>}>
      {(at) => <Moment {...props} at={at()} />}
    </Show>
  );
}

function Moment(props: TimeProps & { at: string }): JSX.Element {
  const now = useNow();
  const timeZone = useDisplayTimeZone();
  const date = createMemo(() => new Date(props.at));
  const words = {
    now: "just now",
    ago: (amount: string) => `${amount} ago`,
    ahead: (amount: string) => `in ${amount}`,
  };
  const absolute = () =>
    props.absolute === "second" || props.absolute === "millisecond"
      ? formatInstant(date(), now(), timeZone(), props.absolute)
      : formatDateTime(date(), timeZone());
  const relative = () => (props.absolute ? undefined : formatRelative(date(), now(), words));
  return (
    <Tooltip
      text={formatMoment(date(), timeZone())}
      inRow={props.inRow}
      class="figures whitespace-nowrap"
    >
      <time datetime={props.at}>{relative() ?? absolute()}</time>
    </Tooltip>
  );
}
