// "Why was I charged this?": one call with its tokens and price, its route and attempts, its hold and its ending.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatCount, formatDuration, noData } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Facts } from "./facts.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { t } from "./texts.ts";

type Call = Answers["operator"]["request"]["explain"];

export default function RequestPage(props: { id: string }): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["operator", "request", props.id],
    queryFn: ({ signal }) => api.operator.request.explain.query({ id: props.id }, { signal }),
  }));
  return (
    <OperatorFrame>
      <Loaded query={query} what={t("request.what")}>
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
      [t("request.charged"), <Money usd={call.chargedUsd} />],
      [t("request.cost"), <Money usd={call.costUsd} />],
      [t("request.held"), <Money usd={call.heldUsd} />],
      [t("request.shortfall"), <Money usd={call.shortfallUsd} />],
      [
        t("request.operatorCost"),
        call.operatorCostUsd === null ? noData : <Money usd={call.operatorCostUsd} />,
      ],
      [t("request.ending"), endingOf(call)],
      [t("request.model"), call.model],
      [t("request.route"), call.route || noData],
      [
        t("request.tokens"),
        t("request.tokensText", {
          prompt: formatCount(call.promptTokens),
          completion: formatCount(call.completionTokens),
          source: call.usageSource,
        }),
      ],
      [t("request.price"), call.priceVersion ?? noData],
      [t("request.priceSince"), <Time at={call.priceSince} absolute />],
      [t("request.at"), <Time at={call.at} absolute="millisecond" />],
      [t("request.endedAt"), <Time at={call.endedAt} absolute="millisecond" />],
      [t("request.key"), call.key ?? t("request.playground")],
      [t("request.lease"), call.leaseId ?? noData],
      [t("request.requestId"), <span class="font-mono text-xs">{call.requestId}</span>],
      [t("request.generationId"), <span class="font-mono text-xs">{call.generationId}</span>],
    ] as const;
  };
  return (
    <Card
      title={t("request.title")}
      description={<A href={`/operator/accounts/${props.of.accountId}`}>{props.of.account}</A>}
    >
      <Facts of={facts()} />
    </Card>
  );
}

function endingOf({ outcome, status, state, errorCode, finishReason, refusal }: Call): string {
  return [outcome, String(status), state, errorCode, finishReason, refusal]
    .filter((part) => part !== null && part !== "")
    .join(", ");
}

type Line = Call["lines"][number];

const lineColumns: readonly Column<Line>[] = [
  { id: "label", title: t("request.line"), cell: ({ label }) => label },
  {
    id: "tokens",
    title: t("request.lineTokens"),
    cell: ({ tokens }) => formatCount(tokens),
    align: "end",
  },
  {
    id: "rate",
    title: t("request.rate"),
    cell: ({ usdPerMillion }) => (usdPerMillion === null ? noData : `$${usdPerMillion}`),
    align: "end",
  },
  {
    id: "cost",
    title: t("request.lineCost"),
    cell: ({ costUsd }) => `$${costUsd}`,
    align: "end",
  },
];

function LinesCard(props: { lines: readonly Line[] }): JSX.Element {
  return (
    <Card title={t("request.bill")} flush>
      <Show when={props.lines.length > 0} fallback={<EmptyState title={t("request.free")} />}>
        <Table
          caption={t("request.billCaption")}
          columns={lineColumns}
          rows={props.lines}
          rowKey={({ label }) => label}
        />
      </Show>
    </Card>
  );
}

function AttemptsCard(props: { attempts: Call["attempts"] }): JSX.Element {
  return (
    <Card title={t("request.attempts")}>
      <Show when={props.attempts.length > 0} fallback={t("request.noAttempts")}>
        <ol class="flex list-decimal flex-col gap-1 ps-5 text-sm">
          <For each={props.attempts}>
            {({ provider, model, status, firstByteMs, error }) => (
              <li class="wrap-anywhere">
                {[
                  `${provider} ${model}`,
                  String(status),
                  firstByteMs === null
                    ? undefined
                    : t("request.firstByte", { time: formatDuration(firstByteMs) }),
                  error ?? undefined,
                ]
                  .filter((part) => part !== undefined)
                  .join(", ")}
              </li>
            )}
          </For>
        </ol>
      </Show>
    </Card>
  );
}
