// Price versions of models and of routes with their own price: the newest of each, and new ones if
// the catalog differs. None is ever edited.

import { newId, type PriceId } from "@turnpike/base";
import { type Db, prices, rateColumns, toRateRow, toRates } from "@turnpike/db";
import {
  type BySize,
  isSameRates,
  type PriceList,
  type Rates,
  serviceTiers,
} from "@turnpike/terms";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { ModelEntry, PriceVersion } from "./model.ts";

export type Transaction = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** By `priceKey`. */
export type PriceVersions = ReadonlyMap<string, PriceVersion>;

type PricedEntry = PriceName & { readonly rates: Rates };

/** What names a route of a model: unique within the model. */
export function routeName(provider: string, upstreamModel: string): string {
  return `${provider} ${upstreamModel}`;
}

/** What names a price of a model. */
export type PriceName = {
  readonly model: string;
  /** A `routeName`, or empty for the price of the model itself. */
  readonly route: string;
  /** Empty for the standard one. */
  readonly tier: string;
  /** Prompts with more tokens than this; 0 for prompts of any size. */
  readonly aboveTokens: number;
};

export function priceKey({ model, route, tier, aboveTokens }: PriceName): string {
  return `${model} ${route} ${tier} ${aboveTokens}`;
}

/** The version in force of every price of `models`; if the newest row differs, one is appended. */
export async function updatePrices(
  transaction: Transaction,
  models: readonly ModelEntry[],
): Promise<PriceVersions> {
  const newest = await queryNewest(transaction, models);
  const changed = models.flatMap(listPrices).filter((entry) => {
    const version = newest.get(priceKey(entry));
    return version === undefined || !isSameRates(version, entry.rates);
  });
  return new Map([...newest, ...(await append(transaction, changed))]);
}

function listPrices({ id: model, rates, routes }: ModelEntry): PricedEntry[] {
  const own = routes.flatMap(({ provider, upstreamModel, rates: ownRates }) =>
    ownRates === undefined ? [] : listTiers(model, routeName(provider.id, upstreamModel), ownRates),
  );
  return [...listTiers(model, "", rates), ...own];
}

function listTiers(model: string, route: string, list: PriceList): PricedEntry[] {
  const own = serviceTiers.flatMap((tier) => {
    const rates = list.tiers?.[tier];
    return rates === undefined ? [] : listSizes({ model, route, tier }, rates);
  });
  return [...listSizes({ model, route, tier: "" }, list), ...own];
}

function listSizes(name: Omit<PriceName, "aboveTokens">, list: BySize<Rates>): PricedEntry[] {
  const { longPrompts = [] } = list;
  const long = longPrompts.map((rates) => ({ ...name, aboveTokens: rates.aboveTokens, rates }));
  return [{ ...name, aboveTokens: 0, rates: list }, ...long];
}

const columns = {
  id: prices.id,
  model: prices.model,
  route: prices.route,
  tier: prices.tier,
  aboveTokens: prices.abovePromptTokens,
  ...rateColumns,
  since: prices.since,
};

type PriceRow = Pick<typeof prices.$inferSelect, Exclude<keyof typeof columns, "aboveTokens">> &
  PriceName;

async function queryNewest(
  transaction: Transaction,
  models: readonly ModelEntry[],
): Promise<PriceVersions> {
  if (models.length === 0) return new Map();
  const ids = models.map((model) => model.id);
  const rows = await transaction
    .selectDistinctOn([prices.model, prices.route, prices.tier, prices.abovePromptTokens], columns)
    .from(prices)
    .where(inArray(prices.model, ids))
    .orderBy(
      prices.model,
      prices.route,
      prices.tier,
      prices.abovePromptTokens,
      desc(prices.since),
      desc(prices.id),
    );
  return byKey(rows);
}

async function append(
  transaction: Transaction,
  changed: readonly PricedEntry[],
): Promise<PriceVersions> {
  if (changed.length === 0) return new Map();
  const values = changed.map(({ model, route, tier, aboveTokens, rates }) => ({
    id: newId<PriceId>(),
    model,
    route,
    tier,
    abovePromptTokens: aboveTokens,
    ...toRateRow(rates),
    // Not now(): that is when the transaction began, before it waited for the one before it.
    since: sql`clock_timestamp()`,
  }));
  return byKey(await transaction.insert(prices).values(values).returning(columns));
}

function byKey(rows: readonly PriceRow[]): PriceVersions {
  return new Map(rows.map((row) => [priceKey(row), toPriceVersion(row)]));
}

function toPriceVersion(row: PriceRow): PriceVersion {
  return { id: row.id, since: row.since, ...toRates(row) };
}

/** Every standard price a model ever had, newest first; without those of routes, tiers and long prompts. */
export async function queryPriceHistory(db: Db, modelId: string): Promise<PriceVersion[]> {
  const rows = await db
    .select(columns)
    .from(prices)
    .where(
      and(
        eq(prices.model, modelId),
        eq(prices.route, ""),
        eq(prices.tier, ""),
        eq(prices.abovePromptTokens, 0),
      ),
    )
    .orderBy(desc(prices.since), desc(prices.id));
  return rows.map(toPriceVersion);
}
