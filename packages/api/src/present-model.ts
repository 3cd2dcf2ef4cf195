// A model as the console shows it: what the catalog says, its list prices as exact decimal strings in USD, and what the
// installation's own calls say about it and its routes.
import { type Model, offeredForms } from "@turnpike/catalog";
import type { FiguresBook } from "@turnpike/reports";
import { serviceTiers, statePrices, stateRates } from "@turnpike/terms";
import { inputModalities, outputModalities } from "@turnpike/wire";

/** The service tiers with their own prices, in each size of a prompt. */
export function presentServiceTiers({ price }: Model) {
  return serviceTiers.flatMap((name) => {
    const rates = price.tiers?.[name];
    return rates === undefined ? [] : [{ name, ...statePrices(rates) }];
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
    maxOutputTokens: "maxOutputTokens" in model ? model.maxOutputTokens : null,
    inputs: inputModalities(model),
    outputs: outputModalities(model),
    media: presentMedia(model),
    capabilities: model.capabilities,
    createdAt: model.created.toISOString(),
    ...statePrices(model.price),
    priceSince: model.price.since.toISOString(),
    figures: figures.ofModel(model),
  };
}

/** What a request to a model of images or audio may ask for; null for models of text. */
function presentMedia(model: Model) {
  switch (model.operation) {
    case "image": {
      const { maxImages, inputImages } = model;
      return { kind: "image" as const, maxImages, inputImages, ...offeredForms(model) };
    }
    case "speech": {
      const { voices, maxCharacters } = model;
      return { kind: "speech" as const, voices, maxCharacters };
    }
    case "transcription":
      return { kind: "transcription" as const, maxSeconds: model.maxSeconds };
    default:
      return null;
  }
}

/** In the order in which they are tried. The provider's name for the model is not published, nor what it costs. */
export function presentRoutes(model: Model, figures: FiguresBook) {
  return model.routes.map((route) => ({
    provider: route.provider.id,
    /** Null where a call costs what the model's price list says. */
    prices: route.price === undefined ? null : stateRates(route.price),
    /** Null where the catalog does not say. */
    dataCollection: route.dataCollection ?? null,
    zeroDataRetention: route.zdr ?? null,
    ...figures.ofRoute(model, route),
  }));
}
