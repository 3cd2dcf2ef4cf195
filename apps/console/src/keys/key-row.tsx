// How a key looks in lists: its status as icon, word and colour, and how much of which limit is used.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../api.ts";
import { formatAmount, formatCost, formatDate, formatRelative, formatReset } from "../format.ts";
import { t as shared } from "../texts/shared.ts";
import { StatusPill, type Tone } from "../ui/status-pill.tsx";
import { useNow } from "../ui/use-now.ts";
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
  return (
    <span class="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <StatusPill tone={tones[props.of.status]}>{t(`status.${props.of.status}`)}</StatusPill>
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

export function KeySpend(props: { of: Key }): JSX.Element {
  const name = () => tightestPeriod(props.of);
  return (
    <Show
      when={name()}
      fallback={
        <span class="figures">
          {t("spend.none", { spent: formatCost(props.of.spend.total.spentUsd) })}
        </span>
      }
    >
      {(period) => <SpendMeter name={period()} period={props.of.spend[period()]} />}
    </Show>
  );
}

type SpendMeterProps = { name: PeriodName; period: Key["spend"][PeriodName] };

export function SpendMeter(props: SpendMeterProps): JSX.Element {
  return (
    <span class="inline-flex min-w-36 flex-col gap-1.5">
      <span class="figures text-sm sm:whitespace-nowrap">
        {t(`spend.${props.name}`, {
          spent: formatCost(props.period.spentUsd),
          limit: formatAmount(props.period.limitUsd ?? "0"),
        })}
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
