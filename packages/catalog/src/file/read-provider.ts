// Turns a provider entry of the catalog into one that can be called. A provider whose key or
// address is not set in the environment is not a mistake: it is absent, and so are its models.
import { isPrivateHost } from "@turnpike/base";
import {
  defaultAuth,
  defaultQuirks,
  type KnownProvider,
  knownProviders,
  noCredential,
  type OpenaiQuirks,
  type Provider,
  type ProviderKind,
} from "@turnpike/providers";
import type { ProviderText } from "./catalog-schema.ts";
import {
  type EntryContext,
  mistake,
  type NotReady,
  type ProviderReading,
  type ReadOptions,
  readAddress,
  readKey,
  readyWith,
  sharedFields,
} from "./provider-reading.ts";
import { readAzure } from "./read-azure.ts";
import { readBedrock } from "./read-bedrock.ts";
import { readVertex } from "./read-vertex.ts";
import type { Environment } from "./substitute.ts";

/** What the file omits comes from the known provider of that id and kind, if there is one. */
export function readProvider(
  entry: ProviderText,
  environment: Environment,
  options: ReadOptions,
): ProviderReading {
  const known = findKnown(entry);
  const providerKind = entry.kind ?? known?.kind ?? "openai-compatible";
  const context: EntryContext = { entry, providerKind, known, environment, options };
  return findMisplaced(context) ?? readers[providerKind](context);
}

const readers: Readonly<Record<ProviderKind, (context: EntryContext) => ProviderReading>> = {
  "openai-compatible": readOwnApi,
  anthropic: readOwnApi,
  google: readOwnApi,
  elevenlabs: readOwnApi,
  deepgram: readOwnApi,
  azure: readAzure,
  vertex: readVertex,
  bedrock: readBedrock,
};

function findKnown({ id, kind }: ProviderText): KnownProvider | undefined {
  const known = Object.hasOwn(knownProviders, id) ? knownProviders[id] : undefined;
  return kind === undefined || kind === known?.kind ? known : undefined;
}

const ownApis = ["openai-compatible", "anthropic", "google", "elevenlabs", "deepgram"] as const;

/** The kinds that have each field, for fields that not all of them have. */
const kindsOfField = {
  apiKey: [...ownApis, "azure", "bedrock"],
  auth: [...ownApis, "azure"],
  apiVersion: ["azure"],
  entra: ["azure"],
  project: ["vertex"],
  location: ["vertex"],
  serviceAccount: ["vertex"],
  serviceAccountFile: ["vertex"],
  region: ["bedrock"],
  accessKeyId: ["bedrock"],
  secretAccessKey: ["bedrock"],
  sessionToken: ["bedrock"],
} as const satisfies Partial<Record<keyof ProviderText, readonly ProviderKind[]>>;

/** The quirks of requests and answers of chat completions. */
const chatQuirks = [
  "tokenLimit",
  "streamUsage",
  "toolCallIds",
  "turnOrder",
  "toolResults",
  "participantNames",
  "systemMessages",
  "developerRole",
  "includeReasoning",
  "seed",
  "reasoningHistory",
] as const satisfies readonly (keyof OpenaiQuirks)[];

const kindsWithQuirks: readonly ProviderKind[] = ["openai-compatible", "azure"];

function findMisplaced({ entry, providerKind }: EntryContext): NotReady | undefined {
  for (const [field, kinds] of Object.entries(kindsOfField)) {
    const isGiven = Reflect.get(entry, field) !== undefined;
    if (!isGiven || kinds.some((kind) => kind === providerKind)) continue;
    return mistake(field, `is a field of providers of kind ${kinds.join(" or ")}`);
  }
  const { cancelledStream: _, ...quirks } = entry.quirks;
  const unasked = chatQuirks.find((name) => quirks[name] !== undefined);
  if (quirks.responses === "only" && unasked !== undefined) {
    const why = "which a provider with responses: only never serves";
    return mistake("quirks", `${unasked} is a quirk of chat completions, ${why}`);
  }
  const [quirk] = Object.keys(quirks);
  if (quirk === undefined || kindsWithQuirks.includes(providerKind)) return undefined;
  return mistake(
    "quirks",
    `${quirk} is a quirk of providers of kind ${kindsWithQuirks.join(" or ")}`,
  );
}

/** A service whose own API is one of the dialects. */
function readOwnApi(context: EntryContext): ProviderReading {
  const { entry, known, providerKind } = context;
  const text = entry.baseUrl ?? known?.baseUrl;
  if (text === undefined) return mistake("baseUrl", "is required for this provider");
  if (providerKind === "google" && /\/openai\/?$/.test(text)) {
    const advice = 'write kind: openai-compatible, or leave "/openai" out';
    return mistake("baseUrl", `is Google's OpenAI-compatible API: ${advice}`);
  }
  const address = readAddress(context, text);
  if (address.kind !== "value") return address;
  const dialect = dialectOf(context);
  const key = readKey(context, defaultAuth[dialect.kind]);
  if (key !== undefined && key.kind !== "value") return key;
  const provider = {
    ...dialect,
    ...sharedFields(context),
    ...(isSelfHosted(context, address.value) && passesUnknownFields),
    baseUrl: address.value,
    credential: key?.value ?? noCredential,
  };
  return readyWith(context, () => provider);
}

const passesUnknownFields = { unknownFields: "passed" } as const;

/** A server of the operator's own has models and no account. That of a hosted service may be a proxy with its key. */
function isSelfHosted({ entry, known }: EntryContext, address: string): boolean {
  if (entry.unknownFields !== undefined) return entry.unknownFields === "passed";
  const isHosted = known?.baseUrl !== undefined && !isPrivateHost(new URL(known.baseUrl).hostname);
  return !isHosted && isPrivateHost(new URL(address).hostname);
}

type DialectFields = Provider extends infer Each
  ? Each extends Provider
    ? Omit<Each, "id" | "baseUrl" | "credential" | "cancelledStream" | "unknownFields">
    : never
  : never;

/** What only providers of one kind have. */
function dialectOf({ entry, known, providerKind }: EntryContext): DialectFields {
  switch (providerKind) {
    case "anthropic":
    case "google":
    case "elevenlabs":
    case "deepgram":
      return { kind: providerKind };
  }
  const { cancelledStream: _, ...quirks } = entry.quirks;
  const ownQuirks = known?.kind === "openai-compatible" ? known.quirks : defaultQuirks;
  return { kind: "openai-compatible", quirks: { ...ownQuirks, ...quirks } };
}
