// Turns a provider entry of the catalogue into one that can be called. A provider whose key or
// address is not set in the environment is not a mistake: it is absent, and so are its models.

import {
  defaultQuirks,
  knownProviders,
  noCredential,
  type Provider,
  whyBaseUrlRefused,
} from "@turnpike/providers";
import type { ProviderText } from "./catalog-schema.ts";
import type { Route } from "./model.ts";
import { type Environment, type Substituted, substitute } from "./substitute.ts";

export type ProviderReading =
  | { readonly kind: "ready"; readonly provider: Provider; readonly policy: DataPolicy }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "mistake"; readonly field: "baseUrl" | "apiKey"; readonly message: string };

/** What the routes of a provider have, unless they say otherwise. */
export type DataPolicy = Pick<Route, "dataCollection" | "zdr">;

export type ReadOptions = {
  /** Whether plain http and private or loopback addresses may be called. */
  readonly allowPrivate: boolean;
};

/** What the file leaves out comes from the known provider of that id, if there is one. */
export function readProvider(
  entry: ProviderText,
  environment: Environment,
  options: ReadOptions,
): ProviderReading {
  const known = Object.hasOwn(knownProviders, entry.id) ? knownProviders[entry.id] : undefined;
  const baseUrlText = entry.baseUrl ?? known?.baseUrl;
  if (baseUrlText === undefined) {
    return { kind: "mistake", field: "baseUrl", message: "is required for this provider" };
  }
  const baseUrl = substitute(baseUrlText, environment);
  if (baseUrl.kind === "absent") return absent(entry.id, baseUrl.missing);
  const problem = whyBaseUrlRefused(baseUrl.value, options);
  if (problem) return { kind: "mistake", field: "baseUrl", message: problem };

  const apiKey = readApiKey(entry, known?.keyName, environment);
  if (apiKey?.kind === "absent") return absent(entry.id, apiKey.missing);
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey.value)) {
    const message = "must be printable ASCII without spaces, and not empty";
    return { kind: "mistake", field: "apiKey", message };
  }
  const { cancelledStream, ...quirks } = entry.quirks;
  const provider: Provider = {
    id: entry.id,
    kind: entry.kind,
    baseUrl: baseUrl.value.replace(/\/{1,64}$/, ""),
    credential: apiKey === undefined ? noCredential : { scheme: entry.auth, secret: apiKey.value },
    quirks: { ...defaultQuirks, ...known?.quirks, ...quirks },
    cancelledStream: cancelledStream ?? known?.cancelledStream ?? "billed_as_written",
  };
  const { dataCollection, zdr } = entry;
  return { kind: "ready", provider, policy: { dataCollection, zdr } };
}

/** Undefined where no key is needed: the file names none and the known provider needs none. */
function readApiKey(
  entry: ProviderText,
  keyName: string | undefined,
  environment: Environment,
): Substituted | undefined {
  const text = entry.apiKey ?? (keyName === undefined ? undefined : `os.environ/${keyName}`);
  if (text === undefined) return undefined;
  const key = substitute(text, environment);
  return key.kind === "value" ? { kind: "value", value: key.value.trim() } : key;
}

function absent(id: string, missing: string): ProviderReading {
  return { kind: "absent", reason: `provider ${id} is not set up: ${missing} is not set` };
}
