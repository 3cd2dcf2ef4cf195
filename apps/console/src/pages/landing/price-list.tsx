// The first few models of this instance with their prices.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { decimalsOfRates, formatCompact, noData } from "../../lib/format.ts";
import { useModels } from "../../lib/queries.ts";
import { Card } from "../../ui/card.tsx";
import { Rate } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { t } from "./texts.ts";

type Model = Answers["models"]["list"][number];

const shownMax = 8;

const columns: readonly Column<Model>[] = [
  {
    id: "name",
    title: t("models.model"),
    cell: (model) => (
      <span class="flex min-w-0 flex-col">
        <span class="font-medium">{model.name}</span>
        <span class="font-mono text-xs font-normal text-muted">{model.id}</span>
      </span>
    ),
  },
  {
    id: "context",
    title: t("models.context"),
    align: "end",
    cell: (model) => formatCompact(model.contextTokens),
  },
  priceColumn("input", t("models.input"), (model) => model.prices.inputUsd),
  priceColumn("output", t("models.output"), (model) =>
    model.operation === "chat" ? model.prices.outputUsd : undefined,
  ),
];

function priceColumn(
  id: string,
  title: string,
  usdOf: (model: Model) => string | undefined,
): Column<Model> {
  return {
    id,
    title,
    align: "end",
    decimals: (models) => decimalsOfRates(models.flatMap((model) => usdOf(model) ?? [])),
    cell: (model, decimals) => (
      <Show when={usdOf(model)} fallback={noData}>
        {(usd) => <Rate usd={usd()} decimals={decimals()} perMillion inRow />}
      </Show>
    ),
  };
}

export function PriceList(): JSX.Element {
  const query = useModels();
  return (
    <Card title={t("models.title")} description={t("models.description")} flush>
      <Loaded query={query} what={t("models.what")} skeleton={<SkeletonRows rows={shownMax} />}>
        {(models) => (
          <Show when={models().length > 0} fallback={<EmptyState title={t("models.none")} />}>
            <Table
              caption={t("models.caption")}
              columns={columns}
              rows={models().slice(0, shownMax)}
              rowKey={(model) => model.id}
              rowHref={(model) => `/models/${model.id}`}
            />
            <p class="border-t border-border px-5 py-3">
              <A href="/models" class="link">
                {models().length > shownMax
                  ? t("models.all", { count: models().length })
                  : t("models.compare")}
              </A>
            </p>
          </Show>
        )}
      </Loaded>
    </Card>
  );
}
