// Which providers a caller allows and prefers: OpenRouter's `provider` object. Each member is honored, or
// refused by its path; none is ignored.
import { Fault, isObject, type JsonObject, lowerAscii } from "@turnpike/base";
import { parseUsd } from "@turnpike/terms";
import { badValue, wrongType } from "../checks/body-fault.ts";
import type { Bounds } from "../checks/bounds.ts";
import {
  anyObject,
  boolean,
  boundsOf,
  isGiven,
  list,
  oneOf,
  type Rule,
  rule,
  text,
} from "../checks/check-value.ts";

const routeSorts = ["price", "throughput", "latency"] as const;
export type RouteSort = (typeof routeSorts)[number];

/** The most a caller pays, in nano-dollars per million tokens; undefined is no limit. */
export type MaxPrice = {
  readonly promptNanosPerMillion: bigint | undefined;
  readonly completionNanosPerMillion: bigint | undefined;
  /** For audio in the prompt. */
  readonly audioNanosPerMillion: bigint | undefined;
};

export type RoutingPreferences = {
  /** Provider ids, tried first and in this order. */
  readonly order: readonly string[];
  /** The only providers allowed; empty allows all. */
  readonly only: readonly string[];
  readonly ignore: readonly string[];
  /** False: nothing beyond `order`, or beyond the first choice if there is no order. */
  readonly allowFallbacks: boolean;
  readonly requireParameters: boolean;
  /** `data_collection: "deny"`: only providers known not to keep or train on what they are sent. */
  readonly denyDataCollection: boolean;
  /** Only providers known to retain no data. */
  readonly zdr: boolean;
  readonly sort: RouteSort | undefined;
  readonly maxPrice: MaxPrice | undefined;
};

export const noPreferences: RoutingPreferences = {
  order: [],
  only: [],
  ignore: [],
  allowFallbacks: true,
  requireParameters: false,
  denyDataCollection: false,
  zdr: false,
  sort: undefined,
  maxPrice: undefined,
};

/** Throws the Fault that names the member that cannot be right or cannot be honored. */
export function parseProviderPreferences(provider: unknown): RoutingPreferences | undefined {
  anyObject(provider, "provider");
  if (!isObject(provider)) return undefined;
  for (const [name, value] of Object.entries(provider)) {
    if (!isGiven(value)) continue;
    const rule = rules.get(name);
    if (rule === undefined) throw unsupported(`provider.${name}`);
    rule(value, `provider.${name}`);
  }
  return parseMembers(provider);
}

function parseMembers(provider: JsonObject): RoutingPreferences {
  return {
    order: parseIds(provider.order),
    only: parseIds(provider.only),
    ignore: parseIds(provider.ignore),
    allowFallbacks: provider.allow_fallbacks !== false,
    requireParameters: provider.require_parameters === true,
    denyDataCollection: provider.data_collection === "deny",
    zdr: provider.zdr === true,
    sort: parseSort(provider.sort),
    maxPrice: parseMaxPrice(provider.max_price),
  };
}

const providerIdMaxChars = 63;
const providersMax = 32;
const providerIds = list(text({ nonEmpty: true, maxLength: providerIdMaxChars }), {
  max: providersMax,
  of: "strings",
});

const price: Bounds = { number: { minimum: 0 } };
const priceBounds: Bounds = { object: { values: price } };

/** USD per million tokens; a price of requests or images is compared with ours, which is zero. */
const priceLimits = rule(priceBounds, (value, path) => {
  anyObject(value, path);
  if (!isObject(value)) return;
  for (const [name, limit] of Object.entries(value)) {
    if (!isGiven(limit)) continue;
    if (!pricedUnits.has(name)) throw unsupported(`${path}.${name}`);
    if (typeof limit !== "string" && typeof limit !== "number") {
      throw wrongType(`${path}.${name}`, "one of a decimal or a string", limit);
    }
    if (parsePriceLimit(limit) !== undefined) continue;
    const expected = "expected USD per million tokens, 0 or more.";
    throw badValue(`${path}.${name}`, expected);
  }
});

/** Models charge nothing per request or image: any limit on these holds. */
const pricedUnits = new Set(["prompt", "completion", "request", "image", "audio"]);

const sort = rule({ text: { enum: routeSorts } }, (value, path) => {
  if (typeof value === "string") return oneOf(routeSorts)(value, path);
  if (!isObject(value)) throw wrongType(path, "one of a string or an object", value);
  for (const [name, member] of Object.entries(value)) {
    if (!isGiven(member)) continue;
    if (name === "by") oneOf(routeSorts)(member, `${path}.by`);
    else if (name !== "partition") throw unsupported(`${path}.${name}`);
    else if (member !== "model") throw unsupportedValue(`${path}.partition`, ["model"]);
  }
});

/** Refuses promises that cannot be known for any route; values that ask for nothing are accepted. */
function refusedUnless(asksNothing: (value: unknown) => boolean): Rule {
  return rule({}, (value, path) => {
    if (!asksNothing(value)) throw unsupported(path);
  });
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
const isFalse = (value: unknown) => value === false;

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["order", providerIds],
  ["only", providerIds],
  ["ignore", providerIds],
  ["allow_fallbacks", boolean],
  ["require_parameters", boolean],
  ["data_collection", oneOf(["allow", "deny"])],
  ["zdr", boolean],
  ["sort", sort],
  ["max_price", priceLimits],
  ["quantizations", refusedUnless(isEmpty)],
  ["enforce_distillable_text", refusedUnless(isFalse)],
]);

export const providerBounds: Bounds = { object: { properties: boundsOf(rules) } };

const honored = [...rules.keys()].slice(0, -2).join(", ");

function unsupported(param: string): Fault {
  return new Fault(
    "unsupported_parameter",
    `Unsupported parameter: '${param}' is not supported by this gateway. Remove it. Supported members: ${honored}.`,
    { param },
  );
}

function unsupportedValue(param: string, supported: readonly string[]): Fault {
  return new Fault(
    "unsupported_value",
    `Unsupported value: '${param}' supports only ${supported.join(", ")}.`,
    { param },
  );
}

/** Provider ids are lower case; OpenRouter shows names such as `OpenAI`. */
function parseIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((id) => lowerAscii(String(id))) : [];
}

function parseSort(value: unknown): RouteSort | undefined {
  const by = isObject(value) ? value.by : value;
  return routeSorts.find((known) => known === by);
}

function parseMaxPrice(value: unknown): MaxPrice | undefined {
  if (!isObject(value)) return undefined;
  return {
    promptNanosPerMillion: parsePriceLimit(value.prompt),
    completionNanosPerMillion: parsePriceLimit(value.completion),
    audioNanosPerMillion: parsePriceLimit(value.audio),
  };
}

/** Above this a limit has no effect, and no amount fits PostgreSQL's int8. */
const priceLimitMaxUsd = 1_000_000_000;

function parsePriceLimit(value: unknown): bigint | undefined {
  const usd = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof usd !== "number" || !(usd >= 0)) return undefined;
  return parseUsd(Math.min(usd, priceLimitMaxUsd).toFixed(9));
}
