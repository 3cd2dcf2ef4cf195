// A model as the console shows it: what the catalog says, its list prices as exact decimal strings in USD, and what the
// installation's own calls say about it and its routes.
import { formatUsd, toNanos } from "@turnpike/base";
import type { Model, Rates } from "@turnpike/catalog";
import type { FiguresBook } from "@turnpike/reports";
import { inputModalities, outputModalities, serviceTiers } from "@turnpike/wire";

export function presentRates(rates: Rates) {
  const { cacheWrite1hNanosPerMillion: cacheWrite1h, audioInputNanosPerMillion: audioIn } = rates;
  const { audioOutputNanosPerMillion: audioOut, webSearchNanosPerMillion: search } = rates;
  return {
    inputUsd: formatUsd(toNanos(rates.inputNanosPerMillion)),
    cachedInputUsd: formatUsd(toNanos(rates.cachedInputNanosPerMillion)),
    cacheWriteUsd: formatUsd(toNanos(rates.cacheWriteNanosPerMillion)),
    outputUsd: formatUsd(toNanos(rates.outputNanosPerMillion)),
    // What only some models have a price for.
    ...(cacheWrite1h !== undefined && { cacheWrite1hUsd: formatUsd(toNanos(cacheWrite1h)) }),
    ...(audioIn !== undefined && { audioInputUsd: formatUsd(toNanos(audioIn)) }),
    ...(audioOut !== undefined && { audioOutputUsd: formatUsd(toNanos(audioOut)) }),
    // Per thousand searches, unlike the others.
    ...(search !== undefined && { webSearchUsd: formatUsd(toNanos(search / 1_000n)) }),
  };
}

/** The service tiers with their own prices. */
export function presentServiceTiers({ price }: Model) {
  return serviceTiers.flatMap((name) => {
    const rates = price.tiers?.[name];
    return rates === undefined ? [] : [{ name, prices: presentRates(rates) }];
  });
}

export function presentModel(model: Model, figures: FiguresBook) {
  return {
    id: model.id,
    name: model.name,
    description: model.description,
    /** Who made it; `providers` are those that serve it, in the order in which they are tried. */
    lab: model.id.split("/")[0] ?? model.id,
    providers: [...new Set(model.routes.map(({ provider }) => provider.id))],
    contextTokens: model.contextTokens,
    operation: model.operation,
    /** Null for models without output. */
    maxOutputTokens: model.operation === "chat" ? model.maxOutputTokens : null,
    inputs: inputModalities(model),
    outputs: outputModalities(model),
    capabilities: model.capabilities,
    createdAt: model.created.toISOString(),
    prices: presentRates(model.price),
    // Only of models whose long prompts cost more.
    ...(model.price.longPrompts !== undefined && {
      longPrompts: model.price.longPrompts.map((rates) => ({
        aboveTokens: rates.aboveTokens,
        prices: presentRates(rates),
      })),
    }),
    priceSince: model.price.since.toISOString(),
    figures: figures.ofModel(model),
  };
}

/** In the order in which they are tried. The provider's name for the model is not published, nor what it costs. */
export function presentRoutes(model: Model, figures: FiguresBook) {
  return model.routes.map((route) => ({
    provider: route.provider.id,
    /** Null where a call costs what the model's price list says. */
    prices: route.price === undefined ? null : presentRates(route.price),
    /** Null where the catalog does not say. */
    dataCollection: route.dataCollection ?? null,
    zeroDataRetention: route.zdr ?? null,
    ...figures.ofRoute(model, route),
  }));
}
