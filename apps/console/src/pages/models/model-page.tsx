// Is this model the right one, and how do I call it? Its capabilities and prices, and what calls of this installation
// met; public.

import { useParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatDate } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { plural } from "../../lib/plural.ts";
import { isMissing } from "../../lib/read-failure.ts";
import { useAccount, useTimeZone } from "../../lib/session.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ButtonLink } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { translateOf } from "../../ui/figures/machine-text.ts";
import { Card } from "../../ui/layout/card.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { AbilityList } from "./ability-list.tsx";
import { AllModels } from "./all-models.tsx";
import { Calculator } from "./calculator.tsx";
import { describeLimits, describeModalities } from "./describe-model.ts";
import { ModelCalls } from "./model-calls.tsx";
import { FiguresOfModel, RoutesCard } from "./model-figures.tsx";
import { HistoryCard, PriceCard } from "./model-prices.tsx";

// With the code of charts.
const ModelHistory = lazy(loadOnce(() => import("./model-history.tsx")));

type Detail = Answers["models"]["detail"];

export default function ModelPage(): JSX.Element {
  const params = useParams<{ id: string }>();
  const query = useAnswer(
    () => ["models", "detail", params.id],
    (call) => api.models.detail.query({ id: params.id }, call),
  );
  usePageTitle(() => query.data?.name);
  const missing = () => query.isError && isMissing(query.error);
  return (
    <Show when={!missing()} fallback={<NotFoundPage />}>
      <Loaded query={query} what="this model" skeleton={<ModelSkeleton />}>
        {(model) => <ModelDetail model={model()} />}
      </Loaded>
    </Show>
  );
}

function ModelDetail(props: { model: Detail }): JSX.Element {
  const account = useAccount();
  /** Visitors who are not signed in are asked to. */
  const mayTry = () => account()?.permissions["playground.use"] !== undefined || !account();
  return (
    <div class="flex flex-col gap-5">
      <AllModels />
      <PageHeader
        description={
          <div class="flex flex-col gap-2">
            <span translate="no" class="inline-flex items-center gap-1 font-mono text-xs">
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
          <Show when={mayTry() && playgroundOf(props.model)}>
            {(path) => (
              <ButtonLink
                href={`${path()}?model=${encodeURIComponent(props.model.id)}`}
                variant="primary"
              >
                Try in Playground
              </ButtonLink>
            )}
          </Show>
        }
      />
      <FiguresOfModel model={props.model} />
      <div class="grid items-start gap-5 lg:grid-cols-2">
        <div class="flex min-w-0 flex-col gap-5">
          <PriceCard model={props.model} />
          <HistoryCard model={props.model} />
        </div>
        <FactsCard model={props.model} />
      </div>
      <RoutesCard model={props.model} />
      <Show when={props.model.figures.monthAvailability !== null}>
        <Suspense fallback={<Skeleton class="h-96 rounded-card!" />}>
          <ModelHistory id={props.model.id} />
        </Suspense>
      </Show>
      <Calculator of={props.model} />
      <ModelCalls model={props.model} />
    </div>
  );
}

/** Where it can be tried; undefined for an operation that no page has. */
function playgroundOf({ operation }: Detail): string | undefined {
  if (operation === "image") return "/playground/images";
  if (operation === "speech" || operation === "transcription") return "/playground/audio";
  return operation === "chat" ? "/playground" : undefined;
}

function FactsCard(props: { model: Detail }): JSX.Element {
  const timeZone = useTimeZone();
  const facts = () => [
    ...describeLimits(props.model),
    ["Modalities", describeModalities(props.model)],
    ["Lab", props.model.lab],
    [
      plural(props.model.providers.length, "Provider", "Providers"),
      props.model.providers.join(", "),
    ],
    ...(Date.parse(props.model.createdAt) === 0
      ? []
      : [["Available since", formatDate(new Date(props.model.createdAt), timeZone())]]),
  ];
  return (
    <Card title="Details" flush>
      <dl class="divide-y divide-border text-sm">
        <For each={facts()}>
          {([title, value]) => (
            <div class="flex justify-between gap-4 px-5 py-2.5">
              <dt class="text-muted">{title}</dt>
              <dd translate={translateOf(value)} class="figures text-end font-medium">
                {value}
              </dd>
            </div>
          )}
        </For>
        <div class="flex flex-col gap-2 px-5 py-3">
          <dt class="text-muted">Supported parameters</dt>
          <dd class="flex flex-wrap gap-1.5">
            <For each={props.model.supportedParameters}>
              {(name) => (
                <code
                  translate="no"
                  class="rounded-[4px] border border-border bg-surface px-1.5 py-0.5 font-mono text-xs"
                >
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
