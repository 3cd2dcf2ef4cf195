// The first few models of this instance with their prices.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatCompact } from "../../lib/format.ts";
import { realModelsOf, useModels } from "../../lib/queries.ts";
import { rateColumn } from "../../product/prices/rate-column.tsx";
import { inputPriceOf, outputPriceOf } from "../../product/prices/shown-prices.ts";
import { Card } from "../../ui/layout/card.tsx";
import { Later } from "../../ui/states/later.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { type Column, Table } from "../../ui/tables/table.tsx";
import { spreadOverLabs } from "./spread-over-labs.ts";

type Model = Answers["models"]["list"][number];

const shownMax = 8;

const columns: readonly Column<Model>[] = [
  {
    id: "name",
    title: "Model",
    cell: (model) => (
      <span class="flex min-w-0 flex-col">
        <span class="font-medium">{model.name}</span>
        <span translate="no" class="font-mono text-xs font-normal text-muted">
          {model.id}
        </span>
      </span>
    ),
  },
  {
    id: "context",
    title: "Context",
    align: "end",
    cell: (model) => formatCompact(model.contextTokens),
  },
  rateColumn("input", "Input", inputPriceOf, true),
  rateColumn("output", "Output", outputPriceOf, true),
];

/** The others have prices that these columns do not show. */
function pricedByToken(models: readonly Model[]): readonly Model[] {
  return models.filter((model) => inputPriceOf(model) !== undefined);
}

export function PriceList(): JSX.Element {
  const query = useModels();
  return (
    <Card title="Models and prices" description="Per one million tokens, in US dollars." flush>
      <Loaded query={query} what="the models" skeleton={<SkeletonRows rows={shownMax} />}>
        {(models) => (
          <Show when={models().length > 0} fallback={<EmptyState title="No models are enabled." />}>
            <Later>
              <Table
                caption="Models and their prices per one million tokens"
                columns={columns}
                rows={spreadOverLabs(pricedByToken(realModelsOf(models()))).slice(0, shownMax)}
                rowKey={(model) => model.id}
                rowHref={(model) => `/models/${model.id}`}
              />
            </Later>
            <p class="border-t border-border px-5 py-3">
              <A href="/models" class="link">
                {models().length > shownMax
                  ? `See all ${models().length} models`
                  : "Search and compare models"}
              </A>
            </p>
          </Show>
        )}
      </Loaded>
    </Card>
  );
}
