// Reads the configuration of sign-in providers: the ids in OIDC_PROVIDERS, and for each of them the variables
// OIDC_<ID>_…. A provider that is named but not complete stops the start.

import type { ProviderSettings } from "@turnpike/auth";
import type { Environment } from "./describe-setting.ts";
import { isLoopbackName } from "./http/allowed-hosts.ts";
import { readList } from "./read-addresses.ts";

/** Each already checked by config.ts. */
type ProviderVariables = { readonly OIDC_PROVIDERS: string };

const nameCharsMax = 40;

/** Adds what is missing or wrong to `mistakes`. */
export function readProviderConfig(
  { OIDC_PROVIDERS }: ProviderVariables,
  environment: Environment,
  mistakes: string[],
): readonly ProviderSettings[] {
  return readList(OIDC_PROVIDERS).flatMap((id, at, ids) => {
    if (!/^[a-z][a-z0-9]{0,29}$/.test(id) || ids.indexOf(id) !== at) {
      const rule = "is not an id; use different names of lower-case letters and digits.";
      mistakes.push(`OIDC_PROVIDERS: ${id} ${rule}`);
      return [];
    }
    return readOpenid(id, environment, mistakes);
  });
}

function readOpenid(id: string, environment: Environment, mistakes: string[]): ProviderSettings[] {
  const prefix = `OIDC_${id.toUpperCase()}_`;
  const read = (name: string): string => {
    const value = environment[prefix + name] ?? "";
    if (value === "")
      mistakes.push(`${prefix}${name}: is required, because OIDC_PROVIDERS names ${id}.`);
    return value;
  };
  const issuer = read("ISSUER");
  const [clientId, clientSecret] = [read("CLIENT_ID"), read("CLIENT_SECRET")];
  const name = environment[`${prefix}NAME`] || id;
  if (name.length > nameCharsMax) {
    mistakes.push(`${prefix}NAME: must have at most ${nameCharsMax} characters.`);
  }
  if (issuer !== "" && !isSafeUrl(issuer)) {
    mistakes.push(`${prefix}ISSUER: must be an https URL, or http on loopback.`);
  }
  return [{ id, name, kind: "openid", issuer, clientId, clientSecret }];
}

/** Client secrets and the keys of the provider travel there. */
function isSafeUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackName(url.hostname));
}
