// The list prices of one model, with those of long prompts and service tiers, and when they changed.
import {
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
import { tokenPriceOf, unitPriceOf, unitPriceTitle } from "../../product/prices/shown-prices.ts";
import { Rate } from "../../ui/figures/figures.tsx";
import { Card } from "../../ui/layout/card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { Matrix } from "./matrix.tsx";

export const tierNames = {
  flex: "Flex",
  scale: "Scale",
  priority: "Priority",
  fast: "Fast",
} as const satisfies Record<ServiceTier, string>;

type Detail = Answers["models"]["detail"];
type Version = Detail["priceHistory"][number];

type Line = {
  readonly id: string;
  readonly title: string;
  readonly perMillion: boolean;
  readonly priceIn: (prices: UsdRates) => string | undefined;
};

/** What any of the price lists has a price for. */
function linesOf({ operation }: Detail, lists: readonly UsdRates[]): readonly Line[] {
  const ofTokens = rateKinds.map((kind) => ({
    id: kind,
    // Searches are listed by the thousand.
    title: kind === "webSearch" ? `${rateNames[kind]}, per 1,000` : rateNames[kind],
    perMillion: kind !== "webSearch",
    priceIn: (prices: UsdRates) => tokenPriceOf({ operation, prices }, kind),
  }));
  const ofUnits = new Map(
    lists
      .flatMap(({ units = [] }) => units)
      .map((rate) => {
        const title = unitPriceTitle(rate);
        const priceIn = (prices: UsdRates) => unitPriceOf(prices, rate);
        return [title, { id: title, title, perMillion: false, priceIn }] as const;
      }),
  );
  return [...ofTokens, ...ofUnits.values()].filter(({ priceIn }) =>
    lists.some((prices) => priceIn(prices) !== undefined),
  );
}

function isByTokensOnly(lists: readonly { readonly prices: UsdRates }[]): boolean {
  return lists.every(({ prices }) => prices.units === undefined);
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
    linesOf(
      props.model,
      lists().map(({ prices }) => prices),
    );
  const byTokensOnly = () => isByTokensOnly(lists());
  const decimals = () =>
    decimalsOfRates(
      lists().flatMap(({ prices }) => shown().flatMap(({ priceIn }) => priceIn(prices) ?? [])),
    );
  return (
    <Card
      title="Prices"
      description={`${byTokensOnly() ? "Per 1M tokens, since" : "Since"} ${since()}`}
      flush
    >
      <Matrix
        caption="Prices"
        corner={byTokensOnly() ? "Kind of token" : "Billed by"}
        columns={lists()}
        head={({ title }) => {
          if (lists().length > 1) return title;
          return byTokensOnly() ? "Price per 1M" : "Price";
        }}
        hidesHeads={lists().length === 1}
        rows={shown()}
        title={({ title }) => title}
        cell={(line, { prices }) => (
          <Show when={line.priceIn(prices)} fallback={noData}>
            {(usd) => <Rate usd={usd()} decimals={decimals()} perMillion={line.perMillion} />}
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
    ...linesOf(
      props.model,
      versions().map(({ prices }) => prices),
    ).map(({ id, title, priceIn }) =>
      rateColumn<Version>(id, title, ({ prices }) => priceIn(prices)),
    ),
  ];
  return (
    <TableCard
      title="Price history"
      description="Each request is billed at the price in effect when it started."
      caption={
        isByTokensOnly(versions())
          ? "Prices per one million tokens, newest first"
          : "Prices, newest first"
      }
      columns={columns}
      rows={versions()}
      rowKey={(version) => version.since}
    />
  );
}
