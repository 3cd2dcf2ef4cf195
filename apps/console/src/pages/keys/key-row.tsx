// How a key looks in lists: its status as icon, word and colour, and how much of which limit is used.
import type { Accessor, JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatAmount, formatDate, formatRelative, formatReset } from "../../lib/format.ts";
import { useWallet } from "../../lib/session.ts";
import { t as shared } from "../../lib/texts.ts";
import { fundsOf } from "../../shell/balance-pill.tsx";
import { MoneyText } from "../../ui/figures.tsx";
import { StatusPill, type Tone } from "../../ui/status-pill.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { useNow } from "../../ui/use-now.ts";
import { t } from "./texts.ts";

export type Key = Answers["keys"]["list"][number];
export type PeriodName = keyof Key["spend"];

const tones = {
  active: "success",
  disabled: "neutral",
  expired: "warning",
  limit_reached: "danger",
  revoked: "neutral",
} as const satisfies Record<Key["status"], Tone>;

const periods = ["day", "week", "month", "total"] as const;

/** Share of the limit that is spent or held, from exact strings; for meters only. */
export function shareOf(period: Key["spend"][PeriodName]): number {
  if (period.limitUsd === null) return 0;
  const limit = Number(period.limitUsd);
  if (limit === 0) return 1;
  return Math.min(1, (Number(period.spentUsd) + Number(period.heldUsd)) / limit);
}

/** The limit that is closest to being reached, if the key has any. */
export function tightestPeriod(key: Key): PeriodName | undefined {
  const limited = periods.filter((name) => key.spend[name].limitUsd !== null);
  return limited.toSorted((a, b) => shareOf(key.spend[b]) - shareOf(key.spend[a]))[0];
}

export function KeyStatus(props: { of: Key }): JSX.Element {
  const resetsAt = () => {
    const name = tightestPeriod(props.of);
    return props.of.status === "limit_reached" && name ? props.of.spend[name].resetsAt : null;
  };
  const blocked = useBlocked(() => props.of);
  return (
    <span class="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Show
        when={blocked()}
        fallback={
          <StatusPill tone={tones[props.of.status]}>{t(`status.${props.of.status}`)}</StatusPill>
        }
      >
        {(why) => (
          <Tooltip text={t(`status.${why()}Hint`)} inRow>
            <StatusPill tone="danger">{t(`status.${why()}`)}</StatusPill>
          </Tooltip>
        )}
      </Show>
      <Show when={resetsAt()}>
        {(at) => (
          <span class="text-xs text-muted">{t("status.resets", { in: useUntil(at()) })}</span>
        )}
      </Show>
      <Show when={props.of.previousUntil}>
        {(at) => (
          <span class="text-xs text-muted">{t("list.oldSecret", { in: useUntil(at()) })}</span>
        )}
      </Show>
    </span>
  );
}

/** Why a key that is active itself pays for nothing: its account has no money, or is frozen. */
export function useBlocked(key: Accessor<Key>): Accessor<"noMoney" | "frozen" | undefined> {
  const wallet = useWallet();
  return () => {
    if (key().status !== "active" || wallet.data === undefined) return undefined;
    if (wallet.data.frozen) return "frozen";
    return fundsOf(wallet.data) === "zero" ? "noMoney" : undefined;
  };
}

/** "in 6 h", and beyond a week "on 1 Dec 2026". */
export function useUntil(at: string): string {
  const now = useNow();
  const words = {
    now: shared("time.now"),
    ago: (amount: string) => shared("time.ago", { amount }),
    ahead: (amount: string) => shared("time.ahead", { amount }),
  };
  const day = () => t("status.on", { date: formatDate(new Date(at), "UTC") });
  return formatRelative(new Date(at), now(), words) ?? day();
}

/** "in 6 h, 00:00 UTC": where it matters exactly when. */
export function useReset(at: string): string {
  const now = useNow();
  return formatReset(new Date(at), now());
}

/** What the list shows as spent: in the tightest period, else in all. */
export function spentUsd(key: Key): string {
  return key.spend[tightestPeriod(key) ?? "total"].spentUsd;
}

/** `decimals`: of all keys listed with it. */
export function KeySpend(props: { of: Key; decimals?: number | undefined }): JSX.Element {
  const name = () => tightestPeriod(props.of);
  return (
    <Show
      when={name()}
      fallback={
        <span class="figures">
          <MoneyText
            usd={props.of.spend.total.spentUsd}
            decimals={props.decimals}
            inRow
            text={(spent) => t("spend.none", { spent })}
          />
        </span>
      }
    >
      {(period) => (
        <SpendMeter name={period()} period={props.of.spend[period()]} decimals={props.decimals} />
      )}
    </Show>
  );
}

type SpendMeterProps = {
  name: PeriodName;
  period: Key["spend"][PeriodName];
  decimals?: number | undefined;
};

export function SpendMeter(props: SpendMeterProps): JSX.Element {
  return (
    <span class="inline-flex min-w-36 flex-col gap-1.5">
      <span class="figures text-sm sm:whitespace-nowrap">
        <MoneyText
          usd={props.period.spentUsd}
          decimals={props.decimals}
          inRow
          text={(spent) =>
            t(`spend.${props.name}`, { spent, limit: formatAmount(props.period.limitUsd ?? "0") })
          }
        />
      </span>
      <Meter share={shareOf(props.period)} />
    </span>
  );
}

const nearlyFull = 0.8;

/** The words beside it say the same; an SVG, because a native meter takes no colours. */
function Meter(props: { share: number }): JSX.Element {
  const fill = () => {
    if (props.share >= 1) return "fill-danger";
    return props.share >= nearlyFull ? "fill-warning" : "fill-brand";
  };
  return (
    <svg aria-hidden="true" data-fill="" class="h-1.5 w-full overflow-hidden rounded-full">
      <rect width="100%" height="100%" class="fill-border" />
      <rect width={`${props.share * 100}%`} height="100%" rx="3" class={fill()} />
    </svg>
  );
}
