// Which models can I call, and what do they cost? With capabilities and measured figures; public.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { formatCompact, formatDuration, formatShare, noData } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { useModels } from "../../lib/queries.ts";
import { useAddress } from "../../lib/use-address.ts";
import { rateColumn } from "../../product/prices/rate-column.tsx";
import {
  describeUnitPrices,
  inputPriceOf,
  outputPriceOf,
  tokenPriceOf,
} from "../../product/prices/shown-prices.ts";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { AbilityIcons } from "./ability-list.tsx";
import { CompareBar } from "./compare-bar.tsx";
import { comparedMax } from "./compared-ids.ts";
import { describeSpeed } from "./describe-model.ts";
import { ModelFilters } from "./model-filters.tsx";
import {
  filterNames,
  type Model,
  type ModelView,
  modelFields,
  selectModels,
  startsDescending,
} from "./model-query.ts";

export default function ModelsPage(): JSX.Element {
  const query = useModels();
  return (
    <>
      <PageHeader description="Prices per 1M tokens, in US dollars. Speed and availability are those of requests made here in the last 30 days; a dash means too few requests to say." />
      <ModelList query={query} />
    </>
  );
}

type ModelListProps = { query: ReturnType<typeof useModels> };

function ModelList(props: ModelListProps): JSX.Element {
  const models = () => props.query.data ?? [];
  const view = useAddress(modelFields);
  const rows = createMemo(() => selectModels(models(), view.get));
  const compared = createMemo(() =>
    view.get("compare").flatMap((id) => models().find((model) => model.id === id) ?? []),
  );
  const narrowed = view.narrowedBy(filterNames);
  return (
    <>
      <TableCard
        query={props.query}
        what="the models"
        skeleton={<SkeletonRows rows={10} />}
        empty="No models are enabled."
        nothing={models().length === 0}
        filters={
          <>
            <ModelFilters models={models()} view={view} narrowed={narrowed} />
            <p role="status" class="sr-only">
              {counted(rows().length, "model")}
            </p>
          </>
        }
        narrowed={narrowed}
        none="No models match."
        caption="Models: prices per one million tokens, speed and availability"
        columnsKey="models"
        columns={columnsOf(models())}
        cards="figures"
        rows={rows}
        rowKey={(model) => model.id}
        rowHref={(model) => `/models/${model.id}`}
        sort={view.get("sort")}
        onSort={(sort) => view.set({ sort }, { replace: true })}
        actions={(model) => (
          <CompareTick
            of={model}
            view={view}
            full={compared().length >= comparedMax && !compared().includes(model)}
          />
        )}
      />
      <CompareBar models={compared()} view={view} />
    </>
  );
}

type CompareTickProps = { of: Model; view: ModelView; full: boolean };

function CompareTick(props: CompareTickProps): JSX.Element {
  const chosen = () => props.view.get("compare");
  const isChosen = () => chosen().includes(props.of.id);
  const toggle = () => {
    const others = chosen().filter((id) => id !== props.of.id);
    props.view.set({ compare: isChosen() ? others : [...others, props.of.id] }, { replace: true });
  };
  return (
    <label class="inline-flex min-h-7 items-center gap-1.5 text-xs text-muted has-disabled:opacity-60 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        class="size-4 accent-brand"
        aria-label={`Compare ${props.of.name}`}
        title="Compare"
        checked={isChosen()}
        disabled={props.full}
        onChange={toggle}
      />
      <span aria-hidden="true" class="sm:sr-only">
        Compare
      </span>
    </label>
  );
}

/** One that users sort by. */
function figureColumn(id: string, title: string, cell: (model: Model) => string): Column<Model> {
  return { id, title, align: "end", sortable: true, cell };
}

/** On phones a dash in most rows, until they are sorted by it. */
function measuredColumn(
  id: string,
  title: string,
  read: (figures: Model["figures"]) => string,
): Column<Model> {
  return { ...figureColumn(id, title, ({ figures }) => read(figures)), wideOnly: true };
}

const contents: readonly Column<Model>[] = [
  {
    id: "name",
    title: "Model",
    sortable: true,
    fills: true,
    cell: (model) => (
      <span class="sm:block sm:max-w-52 sm:truncate" title={model.name}>
        {model.name}
      </span>
    ),
    under: (model) => (
      <span translate="no" class="flex items-center gap-1 font-mono text-xs text-muted">
        <span class="max-sm:wrap-break-word sm:min-w-0 sm:truncate" title={model.id}>
          {model.id}
        </span>
        <span class="shrink-0 max-sm:hidden">
          <CopyButton text={model.id} label="Copy model id" iconOnly />
        </span>
      </span>
    ),
  },
  {
    id: "providers",
    title: "Providers",
    startsHidden: true,
    wideOnly: true,
    cell: (model) => model.providers.join(", "),
  },
  figureColumn("context", "Context", (model) => formatCompact(model.contextTokens)),
  {
    id: "maxOutput",
    title: "Max output",
    align: "end",
    startsHidden: true,
    wideOnly: true,
    cell: (model) => formatCompact(model.maxOutputTokens),
  },
  { ...rateColumn("input", "Input", inputPriceOf), sortable: true },
  {
    ...rateColumn("cached", "Cached", (model) => tokenPriceOf(model, "cachedInput")),
    startsHidden: true,
    wideOnly: true,
  },
  { ...rateColumn("output", "Output", outputPriceOf), sortable: true },
  {
    id: "units",
    title: "Other units",
    align: "end",
    wideOnly: true,
    cell: ({ prices }) => describeUnitPrices(prices) ?? noData,
  },
  measuredColumn("firstToken", "First token", (model) => formatDuration(model.firstTokenMs)),
  measuredColumn("speed", "Speed", describeSpeed),
  measuredColumn("availability", "Availability", (model) => formatShare(model.monthAvailability)),
  {
    id: "can",
    title: "Capabilities",
    wideOnly: true,
    cell: (model) => <AbilityIcons of={model} />,
  },
];

/** Rows of one line, 40 px high, with the id beside the name; on phones three lines. */
const columns = contents.map((column) => ({
  ...column,
  ...(column.sortable === true &&
    !startsDescending(column.id) && { sortable: "ascending" as const }),
  class: "sm:h-10 sm:py-0! sm:whitespace-nowrap",
}));
const columnsOfTokens = columns.filter(({ id }) => id !== "units");

function columnsOf(models: readonly Model[]): readonly Column<Model>[] {
  const hasUnits = models.some(({ prices }) => prices.units !== undefined);
  return hasUnits ? columns : columnsOfTokens;
}
