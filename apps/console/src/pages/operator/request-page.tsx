// "Why was I charged this?": one call with its tokens and price, its route and attempts, its hold and its ending.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatCount, formatDuration, formatExactUsd, noData } from "../../lib/format.ts";
import { Money, Time } from "../../ui/figures/figures.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { Facts } from "./facts.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { useDesk } from "./use-operator.ts";

type Call = Answers["operator"]["request"]["explain"];

export default function RequestPage(props: { id: string }): JSX.Element {
  const query = useDesk("request", api.operator.request.explain, () => ({ id: props.id }));
  return (
    <OperatorFrame>
      <Loaded query={query} what="the request">
        {(call) => (
          <>
            <ChargeCard of={call()} />
            <LinesCard lines={call().lines} />
            <AttemptsCard attempts={call().attempts} />
          </>
        )}
      </Loaded>
    </OperatorFrame>
  );
}

function ChargeCard(props: { of: Call }): JSX.Element {
  const facts = () => {
    const { of: call } = props;
    return [
      ["Charged", <Money usd={call.chargedUsd} />],
      ["Cost of its tokens", <Money usd={call.costUsd} />],
      ["Held before it began", <Money usd={call.heldUsd} />],
      ["Cost above the hold, not charged", <Money usd={call.shortfallUsd} />],
      [
        "Cost to you",
        call.operatorCostUsd === null ? "Unknown" : <Money usd={call.operatorCostUsd} />,
      ],
      ["What ended it", endingOf(call)],
      ["Model", call.model],
      ["Route", call.route || noData],
      [
        "Tokens",
        `${formatCount(call.promptTokens)} in, ${formatCount(call.completionTokens)} out, by ${call.usageSource}`,
      ],
      ["Version of the price", call.priceVersion ?? noData],
      ["Price since", <Time at={call.priceSince} absolute />],
      ["Began", <Time at={call.at} absolute="millisecond" />],
      ["Ended", <Time at={call.endedAt} absolute="millisecond" />],
      ["Key", call.key ?? "Playground"],
      ["Lease", call.leaseId ?? noData],
      [
        "Request id",
        <span translate="no" class="font-mono text-xs">
          {call.requestId}
        </span>,
      ],
      [
        "Generation id",
        <span translate="no" class="font-mono text-xs">
          {call.generationId}
        </span>,
      ],
    ] as const;
  };
  return (
    <Card
      title="Why was this charged?"
      description={<A href={`/operator/accounts/${props.of.accountId}`}>{props.of.account}</A>}
    >
      <Facts of={facts()} />
    </Card>
  );
}

function endingOf({ outcome, status, state, errorCode, finishReason, refusal }: Call): string {
  return joined(outcome, String(status), state, errorCode, finishReason, refusal);
}

function joined(...parts: readonly (string | null | false)[]): string {
  return parts.filter(Boolean).join(", ");
}

type Line = Call["lines"][number];

const lineColumns: readonly Column<Line>[] = [
  { id: "label", title: "Line", cell: ({ label }) => label },
  { id: "tokens", title: "Tokens", cell: ({ tokens }) => formatCount(tokens), align: "end" },
  {
    id: "rate",
    title: "Per million",
    cell: ({ usdPerMillion }) => (usdPerMillion === null ? noData : formatExactUsd(usdPerMillion)),
    align: "end",
  },
  { id: "cost", title: "Cost", cell: ({ costUsd }) => `$${costUsd}`, align: "end" },
];

function LinesCard(props: { lines: readonly Line[] }): JSX.Element {
  return (
    <TableCard
      title="Bill"
      caption="Tokens times price"
      empty="Nothing was charged for tokens."
      columns={lineColumns}
      rows={props.lines}
      rowKey={({ label }) => label}
    />
  );
}

function AttemptsCard(props: { attempts: Call["attempts"] }): JSX.Element {
  return (
    <Card title="Attempts">
      <Show when={props.attempts.length > 0} fallback="No provider was called.">
        <ol class="flex list-decimal flex-col gap-1 ps-5 text-sm">
          <For each={props.attempts}>
            {({ provider, model, status, firstByteMs, error }) => (
              <li class="wrap-anywhere">
                {joined(
                  `${provider} ${model}`,
                  String(status),
                  firstByteMs !== null && `first byte after ${formatDuration(firstByteMs)}`,
                  error,
                )}
              </li>
            )}
          </For>
        </ol>
      </Show>
    </Card>
  );
}
