// Money, tokens, durations and times as they stand in a page: short in sight, exact in the tooltip.
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
  formatMoment,
  formatRelative,
  formatSigned,
} from "../format.ts";
import { useTimeZone } from "../session.ts";
import { t } from "../texts/shared.ts";
import { Tooltip } from "./tooltip.tsx";
import { useNow } from "./use-now.ts";

type MoneyProps = {
  usd: string;
  /** `cost` for one request or row, `balance` rounds down, `amount` has two decimals, `signed` has +/−. */
  kind?: "cost" | "balance" | "amount" | "signed" | undefined;
  inRow?: boolean | undefined;
};

const moneyFormats = {
  cost: formatCost,
  balance: formatBalance,
  amount: formatAmount,
  signed: formatSigned,
} as const;

export function Money(props: MoneyProps): JSX.Element {
  const shown = () => moneyFormats[props.kind ?? "cost"](props.usd);
  const exact = () => formatExactUsd(props.usd);
  return (
    <Show
      when={shown().replace("+", "") !== exact()}
      fallback={<span class="figures">{shown()}</span>}
    >
      <Tooltip text={t("money.exact", { amount: exact() })} inRow={props.inRow} class="figures">
        {shown()}
      </Tooltip>
    </Show>
  );
}

type TokensProps = { count: number | null; compact?: boolean; inRow?: boolean };

/** Also for requests and other counts; compact only in cards and axes. */
export function Tokens(props: TokensProps): JSX.Element {
  const exact = () => formatCount(props.count);
  const shown = () => (props.compact ? formatCompact(props.count) : exact());
  return (
    <Show when={shown() !== exact()} fallback={<span class="figures">{shown()}</span>}>
      <Tooltip text={exact()} inRow={props.inRow} class="figures">
        {shown()}
      </Tooltip>
    </Show>
  );
}

type TimeProps = {
  /** ISO, as the API sends it; `null` is shown as "Never". */
  at: string | null;
  /** Always the date and the time, never "3 min ago". */
  absolute?: boolean | undefined;
  inRow?: boolean | undefined;
};

export function Time(props: TimeProps): JSX.Element {
  return (
    <Show when={props.at} fallback={<span class="text-muted">{t("time.never")}</span>}>
      {(at) => <Moment {...props} at={at()} />}
    </Show>
  );
}

function Moment(props: TimeProps & { at: string }): JSX.Element {
  const now = useNow();
  const timeZone = useTimeZone();
  const date = createMemo(() => new Date(props.at));
  const words = {
    now: t("time.now"),
    ago: (amount: string) => t("time.ago", { amount }),
    ahead: (amount: string) => t("time.ahead", { amount }),
  };
  const relative = () => (props.absolute ? undefined : formatRelative(date(), now(), words));
  return (
    <Tooltip
      text={formatMoment(date(), timeZone())}
      inRow={props.inRow}
      class="figures whitespace-nowrap"
    >
      <time datetime={props.at}>{relative() ?? formatDateTime(date(), timeZone())}</time>
    </Tooltip>
  );
}
