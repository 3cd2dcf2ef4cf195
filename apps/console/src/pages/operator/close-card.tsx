// The close of a month: balances at both ends, what moved them, and the journal as a file.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download-file.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { Money } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";

const closeKindNames = {
  top_up: "Top-ups",
  usage: "Usage",
  refund: "Refunds",
  dispute: "Disputes",
  adjustment: "Adjustments",
} as const;

type Close = Answers["operator"]["money"]["close"];

const monthsShown = 24;

/** The last one first, in UTC. */
function lastMonths(): string[] {
  const now = new Date();
  return Array.from({ length: monthsShown }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7),
  );
}

export function CloseCard(): JSX.Element {
  const months = lastMonths();
  // The last one that is over.
  const [month, setMonth] = createSignal(months[1] ?? "");
  const query = useAnswer(
    () => ["operator", "close", month()],
    (call) => api.operator.money.close.query({ month: month() }, call),
  );
  return (
    <Card
      title="Close of a month"
      actions={
        <SelectControl
          label="Month (UTC)"
          value={month()}
          choices={months.map((value) => ({ value, label: value }))}
          onChange={setMonth}
          small
        />
      }
    >
      <Loaded query={query} what="the month">
        {(close) => <Figures of={close()} />}
      </Loaded>
    </Card>
  );
}

function Figures(props: { of: Close }): JSX.Element {
  const movements = () =>
    props.of.movements.map(({ kind, usd }) => [closeKindNames[kind], usd] as const);
  const facts = (): readonly (readonly [string, string])[] => [
    ["Customer balances at its beginning", props.of.openingUsd],
    ...movements(),
    ["Customer balances at its end", props.of.closingUsd],
    ["Usage revenue", props.of.revenueUsd],
    ["Shortfall", props.of.shortfallUsd],
  ];
  return (
    <div class="flex flex-col items-start gap-4">
      <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <For each={facts()}>
          {([label, usd]) => (
            <>
              <dt class="text-muted">{label}</dt>
              <dd class="text-end">
                <Money usd={usd} kind="signed" />
              </dd>
            </>
          )}
        </For>
      </dl>
      <Show when={!props.of.isOver}>
        <p class="text-sm text-muted">This month is not over.</p>
      </Show>
      <Button
        size="small"
        onClick={() => downloadFile(`turnpike-journal-${props.of.month}.csv`, props.of.journal)}
      >
        Download the journal
      </Button>
    </div>
  );
}
