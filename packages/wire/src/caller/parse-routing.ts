// Where a caller wants its request to go: OpenRouter's `provider` object, `models` and `route`, after
// https://openrouter.ai/docs/features/provider-routing. Each member is honored, or refused by its path; none is
// ignored, and none reaches an upstream.
import type { JsonObject } from "@turnpike/base";
import type { FieldBounds } from "../checks/bounds.ts";
import { isGiven, list, oneOf, text } from "../checks/check-value.ts";
import {
  parseProviderPreferences,
  providerBounds,
  type RoutingPreferences,
} from "./parse-provider-preferences.ts";

/**
 * The preferences of a request, undefined if it has none. Throws the Fault that names the member that
 * is invalid or cannot be honored.
 */
export function parseRouting({ route, provider }: JsonObject): RoutingPreferences | undefined {
  if (isGiven(route)) checkRoute(route, "route");
  return isGiven(provider) ? parseProviderPreferences(provider) : undefined;
}

/** A request names at most this many models. */
const modelsMax = 8;
const modelNames = list(text({ nonEmpty: true, maxLength: 128 }), {
  max: modelsMax,
  of: "strings",
});
const noModels: readonly string[] = [];

/** The models to try when `model` fails, in order. Throws for what is not a list of names. */
export function parseFallbackModels({ model, models }: JsonObject): readonly string[] {
  if (!isGiven(models)) return noModels;
  modelNames(models, "models");
  if (!Array.isArray(models)) return noModels;
  const names = models.map(String);
  const primary = typeof model === "string" ? model : names[0];
  return [...new Set(names)].filter((name) => name !== primary);
}

/** `fallback` is what a list of models does anyway; it is OpenRouter's value of 2024. */
const checkRoute = oneOf(["fallback"]);

export const routingBounds: FieldBounds = {
  models: modelNames.bounds,
  route: checkRoute.bounds,
  provider: providerBounds,
};
