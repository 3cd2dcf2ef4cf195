// Whether a request, or one of its parameters, can be sent to a provider of another language than its
// caller's: what cannot be expressed there is refused by name before anything is held or called.
import type { Fault } from "@turnpike/base";
import type { Operation } from "@turnpike/terms";
import {
  type ChatRequest,
  chatLanguage,
  currentNameOf,
  embeddingsLanguage,
  findUnlistedField,
  isDocumentedField,
  isListedField,
  isPreference,
  type ParsedRequest,
  responsesLanguage,
} from "@turnpike/wire";
import { cacheWritesOf } from "./cache-writes.ts";
import { dialectOf, findDialect } from "./dialects/dialect-of.ts";
import { hasOnlyOpenais } from "./dialects/openai/build-request.ts";
import type { Target } from "./provider.ts";
import { untranslatable } from "./untranslatable.ts";

/** The Fault that names the first field a route does not support; undefined if it supports all of them. */
export function whyUntranslatable(route: Target, request: ParsedRequest): Fault | undefined {
  const { provider } = route;
  if (request.operation !== "chat") {
    const { language, whyUntranslatable: why } = dialectOf({ provider, request });
    const unlisted =
      language === request.language ? whyUnlisted(provider, request, language) : undefined;
    return unlisted ?? why?.(route, request);
  }
  const mark = findLongCache(request.priceChanging);
  const isPassedOn = mark !== undefined && cacheWritesOf(route, request) === "long";
  if (isPassedOn && !isAnthropicItself(provider)) {
    const problem = "only Anthropic's own API reports what is cached for an hour";
    return untranslatable(mark.name, problem);
  }
  const dialect = dialectOf({ provider, request });
  const { serviceTier = "auto" } = request;
  if (serviceTier !== "auto" && !hasServiceTiers(dialect.language)) {
    return untranslatable("service_tier", "only OpenAI's API has service tiers");
  }
  const unlisted = whyUnlisted(provider, request, dialect.language);
  if (unlisted !== undefined) return unlisted;
  if (dialect.language === request.language) return whyNotRelayed(request);
  const [first] = request.untranslatable;
  if (first !== undefined) return untranslatable(first.param, first.problem);
  return dialect.whyUntranslatable?.(route, request);
}

/** Where a response is relayed, its provider draws with another model, whose tokens are no part of the usage. */
function whyNotRelayed({ language, extras }: ChatRequest): Fault | undefined {
  if (language !== responsesLanguage || extras?.answersIn !== "images") return undefined;
  return untranslatable("tools", "its provider draws with another model, which has no price here");
}

function findLongCache(changes: ChatRequest["priceChanging"]) {
  for (const change of changes) if (change.kind === "long_cache") return change;
  return undefined;
}

/** What could reach more of the operator's account than a model is refused, unless the provider's entry allows it. */
function whyUnlisted(
  { unknownFields }: Target["provider"],
  request: ParsedRequest,
  language: string,
): Fault | undefined {
  if (unknownFields === "passed") return undefined;
  const param = findUnlistedField(request, language);
  if (param === undefined) return undefined;
  return untranslatable(param, "it is not known here, or refers to an account of the provider");
}

/** Whether a route can be asked for a parameter. False where every value that makes use of it is refused, or left out. */
export function takesParameter(target: Target, operation: Operation, name: string): boolean {
  const { provider } = target;
  const language = operation === "embeddings" ? embeddingsLanguage : chatLanguage;
  const dialect = findDialect(provider, { operation, language });
  // The fields of the others are a closed set, which OpenAI's dialects read.
  if (operation !== "chat" && operation !== "embeddings") {
    return dialect.losesParameter?.(name, target) !== true;
  }
  if (dialect.language === language) {
    if (provider.unknownFields === "passed") return true;
    return isListedField(language, name) && !refusesPreference(provider, name);
  }
  if (name === "service_tier") return hasServiceTiers(dialect.language);
  return dialect.losesParameter?.(currentNameOf(name), target) !== true;
}

/** Whether OpenAI itself is asked without it, though it is a field of compatible services. */
function refusesPreference(provider: Target["provider"], name: string): boolean {
  if (provider.kind !== "openai-compatible" || !hasOnlyOpenais(provider.quirks)) return false;
  return isPreference(name) && !isDocumentedField(chatLanguage, name);
}

/** Claude in a cloud has Anthropic's language, but it is not documented that its usage names lifetimes. */
function isAnthropicItself(provider: Target["provider"]): boolean {
  return provider.kind === "anthropic" && provider.cloud === undefined;
}

function hasServiceTiers(language: string): boolean {
  return language === chatLanguage || language === responsesLanguage;
}
