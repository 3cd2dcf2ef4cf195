// What a key may spend and how fast it may be used; which calls it may make is its guardrail.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatDateTime } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.ts";
import { type Key, periods, SpendMeter } from "../../product/keys/key-spend.tsx";
import { describeRates } from "../../product/limits/rate-limits.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { useReset } from "./key-status.tsx";

/** `onEdit` is of those who may change them. */
export function LimitsCard(props: { of: Key; onEdit: (() => void) | undefined }): JSX.Element {
  const limited = () => periods.filter((name) => props.of.spend[name].limitUsd !== null);
  const timeZone = useTimeZone();
  const others = () => {
    const { limits, expiresAt } = props.of;
    if (expiresAt === null) return describeRates(limits);
    return [...describeRates(limits), `Expires ${formatDateTime(new Date(expiresAt), timeZone())}`];
  };
  return (
    <Card
      title="Limits"
      actions={
        <Show when={props.onEdit}>
          {(edit) => (
            <Button size="small" changes onClick={() => edit()()}>
              Edit limits
            </Button>
          )}
        </Show>
      }
    >
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
