// The providers that the operator configured, by id. Opened without asking them anything: one that is down must not
// keep the server from starting.

import { Fault } from "@turnpike/base";
import { openGithubProvider } from "./github-provider.ts";
import { openOpenidProvider } from "./openid-provider.ts";
import type { Provider, ProviderSettings } from "./provider.ts";

/** In the order of the configuration. */
export type Providers = ReadonlyMap<string, Provider>;

export function openProviders(settings: readonly ProviderSettings[]): Providers {
  const open = (one: ProviderSettings) =>
    one.kind === "github" ? openGithubProvider(one) : openOpenidProvider(one);
  return new Map(settings.map((one) => [one.id, open(one)]));
}

/** Throws `not_found`. */
export function requireProvider(providers: Providers, id: string): Provider {
  const provider = providers.get(id);
  if (provider !== undefined) return provider;
  throw new Fault("not_found", "There is no such sign-in provider.", { param: "provider" });
}
