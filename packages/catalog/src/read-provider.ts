// Turns a provider entry of the catalogue into one that can be called. A provider whose key or
// address is not set in the environment is not a mistake: it is absent, and so are its models.

import {
  type AnthropicProvider,
  defaultAuth,
  defaultQuirks,
  type GoogleProvider,
  type KnownProvider,
  knownProviders,
  noCredential,
  type OpenaiProvider,
  type OpenaiQuirks,
  type Provider,
  whyBaseUrlRefused,
} from "@turnpike/providers";
import type { ProviderText } from "./catalog-schema.ts";
import type { Route } from "./model.ts";
import { type Environment, type Substituted, substitute } from "./substitute.ts";

export type ProviderReading =
  | { readonly kind: "ready"; readonly provider: Provider; readonly policy: RoutePolicy }
  | {
      readonly kind: "absent";
      readonly providerKind: Provider["kind"];
      readonly reason: string;
    }
  | { readonly kind: "mistake"; readonly field: MistakenField; readonly message: string };

type MistakenField = "baseUrl" | "apiKey" | "quirks";

/** What the routes of a provider have, unless they say otherwise. */
export type RoutePolicy = Pick<Route, "dataCollection" | "zdr" | "maxConcurrent">;

export type ReadOptions = {
  /** Whether plain http and private or loopback addresses may be called. */
  readonly allowPrivate: boolean;
};

/** What the file leaves out comes from the known provider of that id and kind, if there is one. */
export function readProvider(
  entry: ProviderText,
  environment: Environment,
  options: ReadOptions,
): ProviderReading {
  const known = findKnown(entry);
  const providerKind = entry.kind ?? known?.kind ?? "openai-compatible";
  const baseUrlText = entry.baseUrl ?? known?.baseUrl;
  if (baseUrlText === undefined) return mistake("baseUrl", "is required for this provider");
  if (providerKind === "google" && /\/openai\/?$/.test(baseUrlText)) {
    const advice = 'write kind: openai-compatible, or leave "/openai" out';
    return mistake("baseUrl", `is where Google imitates OpenAI's API: ${advice}`);
  }
  const baseUrl = substitute(baseUrlText, environment);
  if (baseUrl.kind === "absent") return absent(entry.id, providerKind, baseUrl.missing);
  const problem = whyBaseUrlRefused(baseUrl.value, options);
  if (problem) return mistake("baseUrl", problem);

  const apiKey = readApiKey(entry, known?.keyName, environment);
  if (apiKey?.kind === "absent") return absent(entry.id, providerKind, apiKey.missing);
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey.value)) {
    return mistake("apiKey", "must be printable ASCII without spaces, and not empty");
  }
  const scheme = entry.auth ?? defaultAuth[providerKind];
  const { cancelledStream, ...quirks } = entry.quirks;
  const [quirk] = Object.keys(quirks);
  if (providerKind !== "openai-compatible" && quirk !== undefined) {
    return mistake("quirks", `${quirk} is a quirk of openai-compatible providers`);
  }
  const provider: Provider = {
    ...ofKind(providerKind, quirks, known),
    id: entry.id,
    baseUrl: baseUrl.value.replace(/\/{1,64}$/, ""),
    credential: apiKey === undefined ? noCredential : { scheme, secret: apiKey.value },
    cancelledStream: cancelledStream ?? known?.cancelledStream ?? "billed_as_written",
  };
  const { dataCollection, zdr, maxConcurrent } = entry;
  return { kind: "ready", provider, policy: { dataCollection, zdr, maxConcurrent } };
}

function findKnown({ id, kind }: ProviderText): KnownProvider | undefined {
  const known = Object.hasOwn(knownProviders, id) ? knownProviders[id] : undefined;
  return kind === undefined || kind === known?.kind ? known : undefined;
}

/** What only providers of one kind have. */
function ofKind(
  kind: Provider["kind"],
  quirks: Partial<OpenaiQuirks>,
  known: KnownProvider | undefined,
): Pick<AnthropicProvider | GoogleProvider, "kind"> | Pick<OpenaiProvider, "kind" | "quirks"> {
  if (kind !== "openai-compatible") return { kind };
  const ownQuirks = known?.kind === kind ? known.quirks : defaultQuirks;
  return { kind, quirks: { ...ownQuirks, ...quirks } };
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

function absent(id: string, providerKind: Provider["kind"], missing: string): ProviderReading {
  const reason = `provider ${id} is not set up: ${missing} is not set`;
  return { kind: "absent", providerKind, reason };
}

function mistake(field: MistakenField, message: string): ProviderReading {
  return { kind: "mistake", field, message };
}
