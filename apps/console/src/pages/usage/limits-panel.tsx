// Keys that are close to a spend limit; not shown when no key is.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, For, Show } from "solid-js";
import { type Key, KeySpend, shareOf, tightestPeriod } from "../../product/keys/key-spend.tsx";
import { Card } from "../../ui/layout/card.tsx";

const closeShare = 0.8;

export default function LimitsPanel(props: { keys: readonly Key[] }): JSX.Element {
  const close = createMemo(() =>
    props.keys.filter((key) => {
      const period = tightestPeriod(key);
      return period !== undefined && shareOf(key.spend[period]) >= closeShare;
    }),
  );
  return (
    <Show when={close().length > 0}>
      <Card title="Near limit" description="Keys at 80% or more of a spend limit">
        <ul class="flex flex-col gap-3">
          <For each={close()}>
            {(key) => (
              <li class="flex flex-wrap items-center gap-x-4 gap-y-1">
                <A href={`/keys/${key.id}`} class="link wrap-anywhere">
                  {key.name}
                </A>
                <KeySpend of={key} />
              </li>
            )}
          </For>
        </ul>
      </Card>
    </Show>
  );
}
