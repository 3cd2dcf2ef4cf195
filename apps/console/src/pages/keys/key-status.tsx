// Whether a key works and, if not, why and until when.
import type { Accessor, JSX } from "solid-js";
import { Show } from "solid-js";
import { formatDate, formatRelative, formatReset } from "../../lib/format.ts";
import { fundsOf } from "../../lib/funds-of.ts";
import { useWallet } from "../../lib/session.ts";
import { type Key, tightestPeriod } from "../../product/keys/key-spend.tsx";
import { StatusPill, type Tone } from "../../ui/figures/status-pill.tsx";
import { Tooltip } from "../../ui/figures/tooltip.tsx";
import { useNow } from "../../ui/figures/use-now.ts";

export const statusNames = {
  active: "Active",
  disabled: "Disabled",
  expired: "Expired",
  limit_reached: "Limit reached",
  revoked: "Revoked",
} as const satisfies Record<Key["status"], string>;

const blocks = {
  noMoney: { name: "No balance left", hint: "Requests are declined until you add funds." },
  frozen: {
    name: "Account frozen",
    hint: "Requests are declined because of a refund or dispute. Contact support.",
  },
} as const;

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
          <StatusPill tone={tones[props.of.status]}>{statusNames[props.of.status]}</StatusPill>
        }
      >
        {(why) => (
          <Tooltip text={blocks[why()].hint} inRow>
            <StatusPill tone="danger">{blocks[why()].name}</StatusPill>
          </Tooltip>
        )}
      </Show>
      <Show when={resetsAt()}>
        {(at) => <span class="text-xs text-muted">resets {useUntil(at())}</span>}
      </Show>
      <Show when={props.of.previousUntil}>
        {(at) => <span class="text-xs text-muted">Old secret stops working {useUntil(at())}</span>}
      </Show>
    </span>
  );
}

/** Why an active key cannot be used: its account has no balance, or is frozen. */
export function useBlocked(key: Accessor<Key>): Accessor<keyof typeof blocks | undefined> {
  const wallet = useWallet();
  return () => {
    if (key().status !== "active" || wallet.data === undefined) return undefined;
    if (wallet.data.frozen) return "frozen";
    return fundsOf(wallet.data) === "zero" ? "noMoney" : undefined;
  };
}

/** "in 6 h", and beyond a week "on Dec 1, 2026". */
export function useUntil(at: string): string {
  const now = useNow();
  return formatRelative(new Date(at), now()) ?? `on ${formatDate(new Date(at), "UTC")}`;
}

/** "in 6 h, 00:00 UTC": where the exact time matters. */
export function useReset(at: string): string {
  const now = useNow();
  return formatReset(new Date(at), now());
}
