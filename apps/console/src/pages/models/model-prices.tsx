// The list prices of one model, with those of long prompts and service tiers, and when they changed.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { decimalsOfRates, formatCount, formatDate, noData } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.ts";
import { Card } from "../../ui/card.tsx";
import { Rate } from "../../ui/figures.tsx";
import type { Column } from "../../ui/table.tsx";
import { TitledTable } from "../../ui/titled-table.tsx";
import { rateColumn } from "../shared/rate-column.tsx";
import { Matrix } from "./matrix.tsx";
import { hasOutput } from "./model-query.ts";

const tierNames = { flex: "Flex", scale: "Scale", priority: "Priority", fast: "Fast" } as const;

type Detail = Answers["models"]["detail"];
type Version = Detail["priceHistory"][number];
type Prices = Detail["prices"];

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

export function PriceCard(props: { model: Detail }): JSX.Element {
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
      <Matrix
        caption="Prices"
        corner="Kind of token"
        columns={lists()}
        head={({ title }) => (lists().length === 1 ? "Price per 1M" : title)}
        hidesHeads={lists().length === 1}
        rows={shown()}
        title={([, title]) => title}
        cell={([name], { prices }) => (
          <Show when={prices[name]} fallback={noData}>
            {(usd) => (
              <Rate usd={usd()} decimals={decimals()} perMillion={name !== "webSearchUsd"} />
            )}
          </Show>
        )}
        class="px-5 text-end font-medium max-sm:ps-3"
      />
    </Card>
  );
}

export function HistoryCard(props: { model: Detail }): JSX.Element {
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
    ).map(([name, title]) => rateColumn<Version>(name, title, ({ prices }) => prices[name])),
  ];
  return (
    <TitledTable
      title="Price history"
      description="Each request is billed at the price in effect when it started."
      caption="Prices per one million tokens, newest first"
      columns={columns}
      rows={versions()}
      rowKey={(version) => version.since}
    />
  );
}
