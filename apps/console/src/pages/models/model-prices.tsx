// The list prices of one model, with those of long prompts and service tiers, and when they changed.
import {
  type RateKind,
  rateKinds,
  rateNames,
  type ServiceTier,
  type StatedPrices,
  type UsdRates,
} from "@turnpike/terms";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { decimalsOfRates, formatCount, formatDate, noData } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.ts";
import { rateColumn } from "../../product/prices/rate-column.tsx";
import { Rate } from "../../ui/figures/figures.tsx";
import { Card } from "../../ui/layout/card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { Matrix } from "./matrix.tsx";
import { hasOutput } from "./model-query.ts";

export const tierNames = {
  flex: "Flex",
  scale: "Scale",
  priority: "Priority",
  fast: "Fast",
} as const satisfies Record<ServiceTier, string>;

type Detail = Answers["models"]["detail"];
type Version = Detail["priceHistory"][number];

/** Searches are listed by the thousand. */
const titleOf = (kind: RateKind) =>
  kind === "webSearch" ? `${rateNames[kind]}, per 1,000` : rateNames[kind];
const priceOf = (prices: UsdRates, kind: RateKind) => prices[`${kind}Usd` as const];

/** The rows for which any of the price lists has a price. A model without output bills only its input. */
function kindsOf(model: Detail, lists: readonly UsdRates[]): readonly RateKind[] {
  const billed = hasOutput(model) ? rateKinds : (["input"] as const);
  return billed.filter((kind) => lists.some((prices) => priceOf(prices, kind) !== undefined));
}

/** The standard prices and those of each service tier, each followed by those of long prompts. */
function priceLists(model: Detail) {
  const sizesOf = (title: string, { prices, longPrompts = [] }: StatedPrices) => [
    { title, prices },
    ...longPrompts.map((long) => {
      const size = `rompts over ${formatCount(long.aboveTokens)} tokens`;
      const ofTier = title === standard ? `P${size}` : `${title}, p${size}`;
      return { title: ofTier, prices: long.prices };
    }),
  ];
  return [
    ...sizesOf(standard, model),
    ...model.serviceTiers.flatMap((tier) => sizesOf(tierNames[tier.name], tier)),
  ];
}

const standard = "Standard";

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
      lists().flatMap(({ prices }) => shown().flatMap((kind) => priceOf(prices, kind) ?? [])),
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
        title={titleOf}
        cell={(kind, { prices }) => (
          <Show when={priceOf(prices, kind)} fallback={noData}>
            {(usd) => <Rate usd={usd()} decimals={decimals()} perMillion={kind !== "webSearch"} />}
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
    ).map((kind) =>
      rateColumn<Version>(kind, titleOf(kind), ({ prices }) => priceOf(prices, kind)),
    ),
  ];
  return (
    <TableCard
      title="Price history"
      description="Each request is billed at the price in effect when it started."
      caption="Prices per one million tokens, newest first"
      columns={columns}
      rows={versions()}
      rowKey={(version) => version.since}
    />
  );
}
