// How a call is queued at its provider, and so which price it has: the tiers that OpenAI's API names.
import type { JsonObject } from "@turnpike/base";
import { type ServiceTier, serviceTiers } from "@turnpike/terms";

/** `auto` leaves the choice to the provider. */
export type RequestedTier = ServiceTier | "auto";

/** The values a request may have: OpenAI's openapi.yaml, `ServiceTier`. */
export const requestableTiers = ["auto", "default", ...serviceTiers] as const;

/** What a checked request asks for; undefined is the standard tier. */
export function requestedTier({ service_tier: tier }: JsonObject): RequestedTier | undefined {
  return tier === "auto" ? tier : findServiceTier(tier);
}

/** The tier of this name; undefined for the standard one, by any of its names, and for unknown values. */
export function findServiceTier(name: unknown): ServiceTier | undefined {
  for (const tier of serviceTiers) if (tier === name) return tier;
  return undefined;
}
