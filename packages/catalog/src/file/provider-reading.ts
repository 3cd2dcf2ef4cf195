// The result of reading a provider entry, and what the readers of all kinds share: address, key, and the policy of
// its routes.
import {
  type AuthScheme,
  type Credential,
  type KnownProvider,
  type Provider,
  type ProviderKind,
  whyBaseUrlRefused,
} from "@turnpike/providers";
import type { Route } from "../model.ts";
import type { ProviderText } from "./catalog-schema.ts";
import { type Environment, type NoteFile, substitute } from "./substitute.ts";

export type ProviderReading =
  | {
      readonly kind: "ready";
      readonly providerKind: ProviderKind;
      /** A cloud uses a different dialect for each vendor's models. */
      readonly providerFor: (upstreamModel: string) => Provider;
      readonly policy: RoutePolicy;
    }
  | NotReady;

export type NotReady =
  | { readonly kind: "absent"; readonly providerKind: ProviderKind; readonly reason: string }
  | { readonly kind: "mistake"; readonly field: string; readonly message: string };

/** What the routes of a provider have, unless they say otherwise. */
export type RoutePolicy = Pick<
  Route,
  "dataCollection" | "zdr" | "maxConcurrent" | "firstByteTimeouts"
>;

export type ReadOptions = {
  /** Whether plain http and private or loopback addresses may be called. */
  readonly allowPrivate: boolean;
  readonly noteFile?: NoteFile;
};

/** One entry and everything that its reading depends on. */
export type EntryContext = {
  readonly entry: ProviderText;
  readonly providerKind: ProviderKind;
  readonly known: KnownProvider | undefined;
  readonly environment: Environment;
  readonly options: ReadOptions;
};

export type Read<Value> = { readonly kind: "value"; readonly value: Value } | NotReady;

export function readyWith(
  { entry, providerKind }: EntryContext,
  providerFor: (upstreamModel: string) => Provider,
): ProviderReading {
  const { dataCollection, zdr, maxConcurrent, firstByteTimeoutMs: firstByteTimeouts } = entry;
  return {
    kind: "ready",
    providerKind,
    providerFor,
    policy: { dataCollection, zdr, maxConcurrent, firstByteTimeouts },
  };
}

/** What every provider has, with any dialect. */
export function sharedFields({
  entry,
  known,
}: EntryContext): Pick<Provider, "id" | "cancelledStream" | "unknownFields"> {
  const { cancelledStream } = entry.quirks;
  return {
    id: entry.id,
    cancelledStream: cancelledStream ?? known?.cancelledStream ?? "billed_as_written",
    ...(entry.unknownFields === "passed" && { unknownFields: "passed" }),
  };
}

/** `text` of `field` filled from the environment. */
export function fill(context: EntryContext, field: string, text: string): Read<string> {
  const filled = substitute(text, context.environment, context.options.noteFile);
  if (filled.kind === "unreadable") return mistake(field, filled.problem);
  return filled.kind === "value" ? filled : absent(context, filled.missing);
}

/** The same, without a slash at its end. */
export function readAddress(context: EntryContext, text: string): Read<string> {
  const address = fill(context, "baseUrl", text);
  if (address.kind !== "value") return address;
  const problem = whyBaseUrlRefused(address.value, context.options);
  if (problem !== undefined) return mistake("baseUrl", problem);
  return { kind: "value", value: address.value.replace(/\/{1,64}$/, "") };
}

/**
 * The key, sent by the scheme the entry names or else by the `usual` one. Undefined if neither the file nor
 * the known provider names a key.
 */
export function readKey(context: EntryContext, usual: AuthScheme): Read<Credential> | undefined {
  const { entry, known } = context;
  const named = known?.keyName === undefined ? undefined : `os.environ/${known.keyName}`;
  const text = entry.apiKey ?? named;
  if (text === undefined) return undefined;
  const key = fill(context, "apiKey", text);
  if (key.kind !== "value") return key;
  const secret = key.value.trim();
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    return mistake("apiKey", "must be printable ASCII without spaces, and not empty");
  }
  return { kind: "value", value: { scheme: entry.auth ?? usual, secret } };
}

function absent({ entry, providerKind }: EntryContext, missing: string): NotReady {
  const reason = `provider ${entry.id} is not set up: ${missing} is not set`;
  return { kind: "absent", providerKind, reason };
}

export function mistake(field: string, message: string): NotReady {
  return { kind: "mistake", field, message };
}
