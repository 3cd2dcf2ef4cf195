// One model: its capabilities, its prices and their history, and how to call it; public.
import { A, useParams } from "@solidjs/router";
import type { Accessor, JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { decimalsOfRates, formatCount, formatDate, noData } from "../../lib/format.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useConfig, useTimeZone } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CodeSnippet } from "../../ui/code-snippet.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Rate } from "../../ui/figures.tsx";
import { ChevronLeft } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { firstCallSnippets } from "../shared/snippets.ts";
import { AbilityList } from "./ability-list.tsx";
import { Calculator } from "./calculator.tsx";
import { hasOutput } from "./model-query.ts";

const tierNames = { flex: "Flex", scale: "Scale", priority: "Priority", fast: "Fast" } as const;

type Detail = Answers["models"]["detail"];
type Version = Detail["priceHistory"][number];
type Prices = Detail["prices"];

export default function ModelPage(): JSX.Element {
  const params = useParams<{ id: string }>();
  const query = useQuery(() => ({
    queryKey: ["models", "detail", params.id],
    queryFn: ({ signal }) => api.models.detail.query({ id: params.id }, { signal }),
  }));
  usePageTitle(() => query.data?.name);
  const missing = () => query.isError && readFailure(query.error).code === "not_found";
  return (
    <Show when={!missing()} fallback={<NotFoundPage />}>
      <Loaded query={query} what="this model" skeleton={<ModelSkeleton />}>
        {(model) => <ModelDetail model={model()} />}
      </Loaded>
    </Show>
  );
}

function ModelDetail(props: { model: Detail }): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <A href="/models" class="link inline-flex w-fit items-center gap-1 text-sm">
        <ChevronLeft class="size-4" aria-hidden="true" />
        All models
      </A>
      <PageHeader
        description={
          <div class="flex flex-col gap-2">
            <span class="inline-flex items-center gap-1 font-mono text-xs">
              <span class="wrap-anywhere">{props.model.id}</span>
              <CopyButton text={props.model.id} label="Copy model id" iconOnly />
            </span>
            <p class="text-text">{props.model.description}</p>
            <div class="flex">
              <AbilityList of={props.model} />
            </div>
          </div>
        }
        actions={
          <Show when={props.model.operation === "chat"}>
            <ButtonLink
              href={`/playground?model=${encodeURIComponent(props.model.id)}`}
              variant="primary"
            >
              Try in Playground
            </ButtonLink>
          </Show>
        }
      />
      <div class="grid items-start gap-5 lg:grid-cols-2">
        <PriceCard model={props.model} />
        <FactsCard model={props.model} />
      </div>
      <Calculator of={props.model} />
      <FirstCall model={props.model} />
      <HistoryCard model={props.model} />
    </div>
  );
}

const kinds = [
  ["inputUsd", "Input"],
  ["cachedInputUsd", "Cached input"],
  ["cacheWriteUsd", "Cache write"],
  ["cacheWrite1hUsd", "Cache write, 1 hour"],
  ["audioInputUsd", "Audio input"],
  ["outputUsd", "Output"],
  ["audioOutputUsd", "Audio output"],
  ["webSearchUsd", "Web search, per 1,000"],
] as const;

type Kind = (typeof kinds)[number];

/** The rows for which any of the price lists has a price. A model without output bills only its input. */
function kindsOf(model: Detail, lists: readonly Prices[]): readonly Kind[] {
  const billed = hasOutput(model) ? kinds : kinds.filter(([name]) => name === "inputUsd");
  return billed.filter(([name]) => lists.some((prices) => prices[name] !== undefined));
}

/** The standard prices, those of long prompts, and those of each service tier. */
function priceLists(model: Detail) {
  const standard = { title: "Standard", prices: model.prices };
  const long = (model.longPrompts ?? []).map(({ aboveTokens, prices }) => {
    return { title: `Prompts over ${formatCount(aboveTokens)} tokens`, prices };
  });
  const tiers = model.serviceTiers.map(({ name, prices }) => {
    return { title: tierNames[name], prices };
  });
  return [standard, ...long, ...tiers];
}

function PriceCard(props: { model: Detail }): JSX.Element {
  const timeZone = useTimeZone();
  const since = () => formatDate(new Date(props.model.priceSince), timeZone());
  const lists = () => priceLists(props.model);
  const shown = () =>
    kindsOf(
      props.model,
      lists().map(({ prices }) => prices),
    );
  const decimals = () =>
    decimalsOfRates(
      lists().flatMap(({ prices }) => shown().flatMap(([name]) => prices[name] ?? [])),
    );
  return (
    <Card title="Prices" description={`Per 1M tokens, since ${since()}`} flush>
      <table class="w-full text-sm">
        <caption class="sr-only">Prices</caption>
        <thead classList={{ "sr-only": lists().length === 1 }}>
          <tr>
            <th scope="col" class="px-5 py-2.5 text-start font-normal text-muted">
              Kind of token
            </th>
            <For each={lists()}>
              {({ title }) => (
                <th scope="col" class="px-5 py-2.5 text-end font-medium">
                  {lists().length === 1 ? "Price per 1M" : title}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody class="divide-y divide-border">
          <For each={shown()}>
            {([name, title]) => (
              <tr>
                <th scope="row" class="px-5 py-2.5 text-start font-normal text-muted">
                  {title}
                </th>
                <For each={lists()}>
                  {({ prices }) => (
                    <td class="figures px-5 py-2.5 text-end font-medium">
                      <Show when={prices[name]} fallback={noData}>
                        {(usd) => (
                          <Rate
                            usd={usd()}
                            decimals={decimals()}
                            perMillion={name !== "webSearchUsd"}
                          />
                        )}
                      </Show>
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </Card>
  );
}

function FactsCard(props: { model: Detail }): JSX.Element {
  const timeZone = useTimeZone();
  const facts = () => [
    ["Context window", `${formatCount(props.model.contextTokens)} tokens`],
    ...(props.model.maxOutputTokens === null
      ? []
      : [["Max output", `${formatCount(props.model.maxOutputTokens)} tokens`]]),
    ["Provider", props.model.provider],
    ["Available since", formatDate(new Date(props.model.createdAt), timeZone())],
  ];
  return (
    <Card title="Limits" flush>
      <dl class="divide-y divide-border text-sm">
        <For each={facts()}>
          {([title, value]) => (
            <div class="flex justify-between gap-4 px-5 py-2.5">
              <dt class="text-muted">{title}</dt>
              <dd class="figures text-end font-medium">{value}</dd>
            </div>
          )}
        </For>
        <div class="flex flex-col gap-2 px-5 py-3">
          <dt class="text-muted">Supported parameters</dt>
          <dd class="flex flex-wrap gap-1.5">
            <For each={props.model.supportedParameters}>
              {(name) => (
                <code class="rounded-[4px] border border-border bg-surface px-1.5 py-0.5 font-mono text-xs">
                  {name}
                </code>
              )}
            </For>
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function FirstCall(props: { model: Detail }): JSX.Element {
  const config = useConfig();
  return (
    <Card title="First request">
      <Show
        when={config.data?.apiBaseUrl}
        fallback={<Skeleton class="h-[13.75rem] rounded-card!" />}
      >
        {(baseUrl) => (
          <CodeSnippet
            snippets={firstCallSnippets({
              baseUrl: baseUrl(),
              model: props.model.id,
              operation: props.model.operation,
            })}
          />
        )}
      </Show>
    </Card>
  );
}

function HistoryCard(props: { model: Detail }): JSX.Element {
  const timeZone = useTimeZone();
  const versions = () =>
    props.model.priceHistory.toSorted((a, b) => b.since.localeCompare(a.since));
  const columns: readonly Column<Version>[] = [
    {
      id: "since",
      title: "Since",
      cell: (version) => formatDate(new Date(version.since), timeZone()),
    },
    ...kindsOf(
      props.model,
      versions().map(({ prices }) => prices),
    ).map(([name, title]) => ({
      id: name,
      title,
      align: "end" as const,
      decimals: (all: readonly Version[]) =>
        decimalsOfRates(all.flatMap((version) => version.prices[name] ?? [])),
      cell: (version: Version, decimals: Accessor<number>) => (
        <Show when={version.prices[name]} fallback={noData}>
          {(usd) => <Rate usd={usd()} decimals={decimals()} inRow />}
        </Show>
      ),
    })),
  ];
  return (
    <Card
      title="Price history"
      description="Each request is billed at the price in effect when it started."
      flush
    >
      <Table
        caption="Prices per one million tokens, newest first"
        columns={columns}
        rows={versions()}
        rowKey={(version) => version.since}
      />
    </Card>
  );
}

function ModelSkeleton(): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <Skeleton class="h-32" />
      <div class="grid gap-5 lg:grid-cols-2">
        <Skeleton class="h-56 rounded-card!" />
        <Skeleton class="h-56 rounded-card!" />
      </div>
      <Skeleton class="h-56 rounded-card!" />
    </div>
  );
}
