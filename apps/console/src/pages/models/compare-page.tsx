// Which of these models suits me? Up to four side by side, the same rows for each. Which ones is in the address;
// public.
import { A, useNavigate } from "@solidjs/router";
import { operationTable } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { formatCount, formatDuration, formatPrice, formatShare, noData } from "../../lib/format.ts";
import { useModels } from "../../lib/queries.ts";
import { useAddress } from "../../lib/use-address.ts";
import {
  describeUnitPrices,
  inputPriceOf,
  outputPriceOf,
  tokenPriceOf,
} from "../../product/prices/shown-prices.ts";
import { ButtonLink, IconButton } from "../../ui/buttons/button.tsx";
import { SelectControl } from "../../ui/forms/choices.tsx";
import { X } from "../../ui/icons.ts";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { AllModels } from "./all-models.tsx";
import { comparedMax, comparisonPath, idsField } from "./compared-ids.ts";
import { describeModalities, describeSpeed } from "./describe-model.ts";
import { Matrix } from "./matrix.tsx";
import { features, isAble, type Model } from "./model-query.ts";

type Row = { readonly title: string; readonly value: (model: Model) => string };

const comparedRows: readonly Row[] = [
  { title: "Lab", value: ({ lab }) => lab },
  { title: "Providers", value: ({ providers }) => providers.join(", ") },
  { title: "Operation", value: ({ operation }) => operationTable[operation].label },
  { title: "Input", value: (model) => showPrice(inputPriceOf(model)) },
  { title: "Cached", value: (model) => showPrice(tokenPriceOf(model, "cachedInput")) },
  { title: "Output", value: (model) => showPrice(outputPriceOf(model)) },
  { title: "Other units", value: ({ prices }) => describeUnitPrices(prices) ?? noData },
  { title: "Context", value: ({ contextTokens }) => formatCount(contextTokens) },
  { title: "Max output", value: ({ maxOutputTokens }) => formatCount(maxOutputTokens) },
  { title: "Modalities", value: describeModalities },
  { title: "First token, median", value: ({ figures }) => formatDuration(figures.firstTokenMs) },
  { title: "Tokens per second", value: ({ figures }) => describeSpeed(figures) },
  {
    title: "Availability in 24 hours",
    value: ({ figures }) => formatShare(figures.recentAvailability),
  },
  {
    title: "Availability in 30 days",
    value: ({ figures }) => formatShare(figures.monthAvailability),
  },
  ...features.map(({ id, name }) => ({
    title: name,
    value: (model: Model) => (isAble(model, id) ? "Yes" : "No"),
  })),
];

function showPrice(usd: string | undefined): string {
  return usd === undefined ? noData : formatPrice(usd);
}

export default function ComparePage(): JSX.Element {
  const { get } = useAddress({ ids: idsField });
  const ids = createMemo(() => get("ids"));
  const query = useModels();
  return (
    <div class="flex flex-col gap-5">
      <AllModels compared={ids()} />
      <Loaded
        query={query}
        what="the models"
        skeleton={
          <Card flush>
            <SkeletonRows rows={12} />
          </Card>
        }
      >
        {(models) => <Comparison models={models()} ids={ids()} />}
      </Loaded>
    </div>
  );
}

function Comparison(props: { models: readonly Model[]; ids: readonly string[] }): JSX.Element {
  const navigate = useNavigate();
  const shown = createMemo(() =>
    props.ids.flatMap((id) => props.models.find((model) => model.id === id) ?? []),
  );
  const shownIds = () => shown().map(({ id }) => id);
  const unknown = () => props.ids.filter((id) => !shownIds().includes(id));
  const show = (ids: readonly string[]) => navigate(comparisonPath(ids), { scroll: false });
  const others = () => [
    { value: "", label: "Add a model" },
    ...props.models
      .filter(({ id }) => !props.ids.includes(id))
      .map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
  ];
  return (
    <>
      <div class="flex flex-wrap items-center justify-between gap-3">
        <p class="max-w-2xl text-muted">
          Prices per 1M tokens, in US dollars. Speed and availability are those of requests made
          here; a dash means too few requests to say.
        </p>
        <Show when={shown().length < comparedMax && others().length > 1}>
          <div class="min-w-0 max-w-full">
            <SelectControl
              label="Add a model"
              small
              value=""
              onChange={(id) => show([...shownIds(), id])}
              choices={others()}
            />
          </div>
        </Show>
      </div>
      <Show when={unknown().length > 0}>
        <p role="status" class="text-sm text-muted wrap-anywhere">
          Not offered here: {unknown().join(", ")}
        </p>
      </Show>
      <Card flush>
        <Show
          when={shown().length > 0}
          fallback={
            <EmptyState
              title="No models selected."
              action={<ButtonLink href="/models">Choose models</ButtonLink>}
            />
          }
        >
          <Matrix
            caption="The selected models side by side"
            corner={<span class="sr-only">Property</span>}
            columns={shown()}
            head={(model) => (
              <ModelHead
                model={model}
                onRemove={() => show(shownIds().filter((id) => id !== model.id))}
              />
            )}
            rows={comparedRows}
            title={(row) => row.title}
            cell={(row, model) => row.value(model)}
            class="px-4 text-start font-normal"
          />
        </Show>
      </Card>
    </>
  );
}

type ModelHeadProps = { model: Model; onRemove: () => void };

function ModelHead(props: ModelHeadProps): JSX.Element {
  return (
    <div class="flex min-w-32 items-start justify-between gap-2 sm:min-w-36">
      <div class="min-w-0 pt-1.5">
        <A href={`/models/${props.model.id}`} class="link font-semibold">
          {props.model.name}
        </A>
        <div translate="no" class="font-mono text-xs wrap-anywhere text-muted">
          {props.model.id}
        </div>
      </div>
      <IconButton label={`Remove ${props.model.name}`} onClick={props.onRemove}>
        <X class="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
