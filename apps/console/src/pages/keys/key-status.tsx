// Whether a key works and, if not, why and until when.
import type { Accessor, JSX } from "solid-js";
import { Show } from "solid-js";
import { formatDate, formatRelative, formatReset } from "../../lib/format.ts";
import { fundsOf } from "../../lib/funds-of.ts";
import { useWallet } from "../../lib/session.ts";
import { t as shared } from "../../lib/texts.ts";
import { StatusPill, type Tone } from "../../ui/status-pill.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { useNow } from "../../ui/use-now.ts";
import { type Key, tightestPeriod } from "../shared/key-spend.tsx";
import { t } from "./texts.ts";

const tones = {
  active: "success",
  disabled: "neutral",
  expired: "warning",
  limit_reached: "danger",
  revoked: "neutral",
} as const satisfies Record<Key["status"], Tone>;

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

/** Why an active key cannot be used: its account has no balance, or is frozen. */
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

/** "in 6 h, 00:00 UTC": where the exact time matters. */
export function useReset(at: string): string {
  const now = useNow();
  return formatReset(new Date(at), now());
}
