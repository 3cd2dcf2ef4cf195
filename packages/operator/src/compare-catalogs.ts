// What a catalog would change if it replaced another one, in sentences: models, prices, costs, routes, limits, and what
// would be sold below cost. The desk and the command line show the same ones.
import type { CatalogFile } from "@turnpike/catalog";
import { formatCount } from "@turnpike/format";
import { compareRates } from "./describe-rates.ts";
import { isBelowCost } from "./is-below-cost.ts";

type Entry = CatalogFile["models"][number];
type RouteEntry = Entry["routes"][number];

export type CatalogChanges = {
  readonly version: string | null;
  readonly unknownFields: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** `openai/gpt-5.4 input $2.50 → $3.00 per million`. */
  readonly repriced: readonly string[];
  /** What routes cost the operator: `openai/gpt-5.4 at azure costs you output $8.00 → $9.00 per million`. */
  readonly recosted: readonly string[];
  readonly rerouted: readonly string[];
  /** Context, output, capabilities and the like. */
  readonly limited: readonly string[];
  /** Routes on which some kind of token is sold for less than it costs. */
  readonly belowCost: readonly string[];
  readonly hidden: CatalogFile["hidden"];
};

export const noChanges: CatalogChanges = {
  version: null,
  unknownFields: [],
  added: [],
  removed: [],
  repriced: [],
  recosted: [],
  rerouted: [],
  limited: [],
  belowCost: [],
  hidden: [],
};

export function compareCatalogs(before: CatalogFile, after: CatalogFile): CatalogChanges {
  const old = new Map(before.models.map((model) => [model.id, model]));
  const now = new Set(after.models.map((model) => model.id));
  const changed = (compare: (was: Entry, is: Entry) => string[]) =>
    after.models.flatMap((model) => {
      const known = old.get(model.id);
      return known === undefined ? [] : compare(known, model);
    });
  return {
    version: after.version,
    unknownFields: after.unknownFields,
    added: [...now].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    repriced: changed(comparePrices),
    recosted: changed(compareCosts),
    rerouted: changed(compareRoutes),
    limited: changed(compareLimits),
    belowCost: after.models.flatMap(findBelowCost),
    hidden: after.hidden,
  };
}

/** Of the model, and of each route that has prices of its own before or after. */
function comparePrices(was: Entry, is: Entry): string[] {
  const ofRoutes = keptRoutes(was, is).flatMap(([before, after]) =>
    before.rates === undefined && after.rates === undefined
      ? []
      : compareRates(
          `${is.id} at ${after.provider.id}`,
          before.rates ?? was.rates,
          after.rates ?? is.rates,
        ),
  );
  return [...compareRates(is.id, was.rates, is.rates), ...ofRoutes];
}

function compareCosts(was: Entry, is: Entry): string[] {
  return keptRoutes(was, is).flatMap(([before, after]) =>
    compareRates(`${is.id} at ${after.provider.id} costs you`, before.cost, after.cost),
  );
}

function compareRoutes(was: Entry, is: Entry): string[] {
  const [before, after] = [was, is].map(({ routes }) => routes.map(nameRoute));
  const added = after?.filter((name) => !before?.includes(name)) ?? [];
  const removed = before?.filter((name) => !after?.includes(name)) ?? [];
  const [order, newOrder] = [was, is].map(({ routes }) =>
    describeOrder(routes.filter((route) => !added.concat(removed).includes(nameRoute(route)))),
  );
  const moved = order === newOrder ? [] : [`${is.id} tries ${newOrder}`];
  return [
    ...added.map((name) => `${is.id} gets the route ${name}`),
    ...removed.map((name) => `${is.id} loses the route ${name}`),
    ...moved,
    ...keptRoutes(was, is).flatMap(([from, to]) =>
      compareFacts(`${is.id} at ${to.provider.id}`, factsOfRoute(from), factsOfRoute(to)),
    ),
  ];
}

type Facts = Readonly<Record<string, string>>;

const none = "none";
const retention = new Map<boolean | undefined, string>([
  [true, "yes"],
  [false, "no"],
]);

/** Routes of one tier share the calls: `a · m and b · n, then c · o`. */
function describeOrder(routes: readonly RouteEntry[]): string {
  const tiers = Map.groupBy(routes, ({ tier }) => tier ?? 0);
  return [...tiers]
    .sort(([one], [other]) => one - other)
    .map(([, of]) => of.map(nameRoute).join(" and "))
    .join(", then ");
}

function factsOfRoute(route: RouteEntry): Facts {
  const { maxConcurrent, dataCollection, zdr, parameters, firstByteTimeouts } = route;
  return {
    "concurrent requests": maxConcurrent === undefined ? "unlimited" : formatCount(maxConcurrent),
    "first byte of a stream": describeTimeout(firstByteTimeouts?.stream),
    "first byte of a whole answer": describeTimeout(firstByteTimeouts?.whole),
    "data collection": dataCollection ?? "unknown",
    "zero data retention": retention.get(zdr) ?? "unknown",
    parameters: parameters?.join(", ") ?? "as the model",
  };
}

function describeTimeout(timeoutMs: number | undefined): string {
  return timeoutMs === undefined ? "by default" : `within ${timeoutMs / 1_000} s`;
}

function compareLimits(was: Entry, is: Entry): string[] {
  return compareFacts(is.id, factsOfModel(was), factsOfModel(is));
}

function tokens(count: number): string {
  return `${formatCount(count)} tokens`;
}

function factsOfModel(model: Entry): Facts {
  return {
    "is for": model.operation,
    context: tokens(model.contextTokens),
    capabilities: model.capabilities.join(", ") || none,
    tokenizer: model.tokenizer,
    ...factsOfOperation(model),
  };
}

function factsOfOperation(model: Entry): Facts {
  switch (model.operation) {
    case "chat":
      return {
        "longest output": tokens(model.maxOutputTokens),
        reasoning: model.reasoning,
        "tokens of an image": formatCount(model.imageTokens),
        "tokens of a second of audio": formatCount(model.audioTokensPerSecond ?? 0),
        "tokens of the template": formatCount(model.templateTokens),
      };
    case "embeddings":
      return { dimensions: formatCount(model.dimensions) };
    case "image":
      return {
        "most images": formatCount(model.maxImages),
        "images to edit": formatCount(model.inputImages),
        "tokens of an image to edit": formatCount(model.imageTokens),
        "tokens of an image": JSON.stringify(model.outputTokens ?? {}),
      };
    case "speech":
      return {
        "longest text": formatCount(model.maxCharacters),
        voices: model.voices.join(", ") || none,
        "tokens of a character": String(model.audioTokensPerCharacter),
      };
    case "transcription":
      return {
        "longest output": tokens(model.maxOutputTokens),
        "longest audio in seconds": formatCount(model.maxSeconds),
        "tokens of a second of audio": formatCount(model.audioTokensPerSecond),
      };
    case "rerank":
    case "moderation":
      return {};
  }
}

function compareFacts(who: string, before: Facts, after: Facts): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [from, to] = [before[name] ?? none, after[name] ?? none];
    return from === to ? [] : [`${who} ${name} ${from} → ${to}`];
  });
}

function nameRoute({ provider, upstreamModel }: RouteEntry): string {
  return `${provider.id} · ${upstreamModel}`;
}

/** Those of both, as they were and as they are. */
function keptRoutes(was: Entry, is: Entry): (readonly [RouteEntry, RouteEntry])[] {
  const old = new Map(was.routes.map((route) => [nameRoute(route), route]));
  return is.routes.flatMap((route) => {
    const known = old.get(nameRoute(route));
    return known === undefined ? [] : [[known, route] as const];
  });
}

function findBelowCost({ id, rates, routes }: Entry): string[] {
  return routes.flatMap((route) =>
    route.cost !== undefined && isBelowCost(route.rates ?? rates, route.cost)
      ? [`${id} at ${route.provider.id}`]
      : [],
  );
}
