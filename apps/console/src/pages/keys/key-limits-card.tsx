// What a key may spend and how fast it may be used; which calls it may make is its guardrail.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatDateTime } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { useTimeZone } from "../../lib/session.ts";
import { Card } from "../../ui/card.tsx";
import { type Key, SpendMeter } from "../shared/key-spend.tsx";
import { useReset } from "./key-status.tsx";

const periods = ["day", "week", "month", "total"] as const;

export function LimitsCard(props: { of: Key }): JSX.Element {
  const limited = () => periods.filter((name) => props.of.spend[name].limitUsd !== null);
  const timeZone = useTimeZone();
  const others = () => otherLimits(props.of, timeZone());
  return (
    <Card title="Limits">
      <Show
        when={limited().length + others().length > 0}
        fallback={<p class="text-muted">This key has no limits.</p>}
      >
        <ul class="flex flex-col gap-3">
          <For each={limited()}>
            {(name) => (
              <li class="flex flex-wrap items-center gap-x-4 gap-y-1">
                <SpendMeter name={name} period={props.of.spend[name]} />
                <Show when={props.of.spend[name].resetsAt}>
                  {(at) => <span class="text-sm text-muted">Resets {useReset(at())}</span>}
                </Show>
              </li>
            )}
          </For>
          <For each={others()}>{(text) => <li class="wrap-anywhere">{text}</li>}</For>
        </ul>
      </Show>
    </Card>
  );
}

function otherLimits({ limits, expiresAt }: Key, timeZone: string): readonly string[] {
  const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
  return [
    requestsPerMinute !== null && `${counted(requestsPerMinute, "request")} per minute`,
    tokensPerMinute !== null && `${counted(tokensPerMinute, "token")} per minute`,
    concurrency !== null && counted(concurrency, "concurrent request"),
    expiresAt !== null && `Expires ${formatDateTime(new Date(expiresAt), timeZone)}`,
  ].filter((text) => text !== false);
}
