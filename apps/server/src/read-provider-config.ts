// Reads the configuration of sign-in providers: GitHub, Google, and those that OIDC_PROVIDERS names, with the variables
// OIDC_<ID>_… of each. One that is named but not complete stops the start.

import type { ProviderSettings } from "@turnpike/auth";
import type { Environment } from "./describe-setting.ts";
import { isLoopbackName } from "./http/requests/allowed-hosts.ts";
import { parseList } from "./parse-addresses.ts";

/** Each already checked by config.ts. */
type ProviderVariables = {
  readonly GITHUB_URL: string;
  readonly GITHUB_CLIENT_ID?: string | undefined;
  readonly GITHUB_CLIENT_SECRET?: string | undefined;
  readonly GOOGLE_CLIENT_ID?: string | undefined;
  readonly GOOGLE_CLIENT_SECRET?: string | undefined;
  readonly OIDC_PROVIDERS: string;
};

const nameCharsMax = 40;
const ownIds = ["github", "google"];

/** Adds what is missing or wrong to `mistakes`. */
export function readProviderConfig(
  variables: ProviderVariables,
  environment: Environment,
  mistakes: string[],
): readonly ProviderSettings[] {
  const { GITHUB_URL, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = variables;
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = variables;
  if (!isSafeUrl(GITHUB_URL)) mistakes.push(`GITHUB_URL: ${safeUrlRule}`);
  const github = { id: "github", name: "GitHub", kind: "github" } as const;
  const google = { id: "google", name: "Google", kind: "google" } as const;
  return [
    ...readClient("GITHUB", GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, mistakes).map((client) => ({
      ...github,
      ...client,
      issuer: GITHUB_URL.replace(/\/$/, ""),
    })),
    ...readClient("GOOGLE", GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, mistakes).map((client) => ({
      ...google,
      ...client,
      issuer: "https://accounts.google.com",
    })),
    ...readOpenidProviders(variables.OIDC_PROVIDERS, environment, mistakes),
  ];
}

/** Both, or neither. */
function readClient(
  prefix: string,
  clientId: string | undefined,
  clientSecret: string | undefined,
  mistakes: string[],
): readonly Pick<ProviderSettings, "clientId" | "clientSecret">[] {
  if (clientId !== undefined && clientSecret !== undefined) return [{ clientId, clientSecret }];
  if (clientId !== undefined) {
    mistakes.push(`${prefix}_CLIENT_SECRET: is required with ${prefix}_CLIENT_ID.`);
  }
  if (clientSecret !== undefined) {
    mistakes.push(`${prefix}_CLIENT_ID: is required with ${prefix}_CLIENT_SECRET.`);
  }
  return [];
}

function readOpenidProviders(
  list: string,
  environment: Environment,
  mistakes: string[],
): readonly ProviderSettings[] {
  return parseList(list).flatMap((id, at, ids) => {
    if (/^[a-z][a-z0-9]{0,29}$/.test(id) && ids.indexOf(id) === at && !ownIds.includes(id)) {
      return readOpenid(id, environment, mistakes);
    }
    const rule = "is not an id; use different names of lower-case letters and digits.";
    mistakes.push(`OIDC_PROVIDERS: ${id} ${rule}`);
    return [];
  });
}

function readOpenid(id: string, environment: Environment, mistakes: string[]): ProviderSettings[] {
  const prefix = `OIDC_${id.toUpperCase()}_`;
  const read = (name: string): string => {
    const value = environment[prefix + name] ?? "";
    const why = `is required, because OIDC_PROVIDERS names ${id}.`;
    if (value === "") mistakes.push(`${prefix}${name}: ${why}`);
    return value;
  };
  const issuer = read("ISSUER");
  const [clientId, clientSecret] = [read("CLIENT_ID"), read("CLIENT_SECRET")];
  const name = environment[`${prefix}NAME`] || id;
  if (name.length > nameCharsMax) {
    mistakes.push(`${prefix}NAME: must have at most ${nameCharsMax} characters.`);
  }
  if (issuer !== "" && !isSafeUrl(issuer)) mistakes.push(`${prefix}ISSUER: ${safeUrlRule}`);
  return [{ id, name, kind: "openid", issuer, clientId, clientSecret }];
}

const safeUrlRule = "must be an https URL, or http on loopback, without query.";

/** The client's secret and the provider's keys travel there. */
function isSafeUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackName(url.hostname));
}
