// The models of the scripted upstream, so that a fresh clone works without any provider key.
// They have small real prices so that holds and bills are visible; production never passes them.

import {
  knownProviders,
  noCredential,
  type OpenaiProvider,
  type Provider,
} from "@turnpike/providers";
import type { Rates } from "@turnpike/terms";
import {
  type Capability,
  type CatalogFile,
  defaultImageTokens,
  defaultTemplateTokens,
  type ModelEntry,
} from "../model.ts";
import { sandboxOperations, sandboxSince } from "./sandbox-operations.ts";

/** USD 0.50, 0.05, 0.625 and 1.50 per million tokens. */
const sandboxRates: Rates = {
  inputNanosPerMillion: 500_000_000n,
  cachedInputNanosPerMillion: 50_000_000n,
  cacheWriteNanosPerMillion: 625_000_000n,
  outputNanosPerMillion: 1_500_000_000n,
};

type SandboxModel = {
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly Capability[];
  /** The API of its provider; OpenAI's chat completions if undefined. */
  readonly dialect?: "anthropic" | "google" | "responses";
};

const sandbox: Readonly<Record<string, SandboxModel>> = {
  echo: {
    name: "Sandbox Echo",
    description: "Repeats the last user message; the quickest way to see a whole round trip.",
    // It takes them, and calls none.
    capabilities: ["tools", "json_schema", "vision"],
  },
  story: {
    name: "Sandbox Story",
    description: "Tells a long made-up story, for watching a stream arrive.",
    capabilities: [],
  },
  tools: {
    name: "Sandbox Tools",
    description: "Calls the first tool it is given, then sums up what the tool answered.",
    capabilities: ["tools"],
  },
  reasoning: {
    name: "Sandbox Reasoning",
    description: "Thinks aloud before it answers, with reasoning tokens in its usage.",
    capabilities: ["reasoning"],
  },
  slow: {
    name: "Sandbox Slow",
    description: "Keeps its caller waiting before the first token and between tokens.",
    capabilities: [],
  },
  claude: {
    name: "Sandbox Claude",
    description:
      "Repeats the last user message, thinking first if asked to, behind Anthropic's own API.",
    capabilities: ["tools", "json_schema", "reasoning", "vision", "files"],
    dialect: "anthropic",
  },
  gemini: {
    name: "Sandbox Gemini",
    description:
      "Calls the first tool it is given or repeats, thinking first if asked to, behind Gemini's API.",
    capabilities: ["tools", "json_schema", "reasoning", "vision", "files"],
    dialect: "google",
  },
  responses: {
    name: "Sandbox Responses",
    description:
      "Repeats the last user message, thinking first if asked to, behind OpenAI's Responses API.",
    capabilities: ["tools", "json_schema", "reasoning", "vision"],
    dialect: "responses",
  },
};

/** `sandbox/echo` and its siblings, answered as `sandbox-echo`, … by the upstream at `baseUrl`. */
export function sandboxModels(baseUrl: string): ModelEntry[] {
  const known = knownProviders.sandbox;
  if (known?.kind !== "openai-compatible") throw new Error("the sandbox provider is not known");
  const { quirks } = known;
  const provider: OpenaiProvider = {
    id: "sandbox",
    kind: "openai-compatible",
    baseUrl: baseUrl.replace(/\/{1,64}$/, ""),
    credential: noCredential,
    quirks,
    cancelledStream: "billed_as_written",
    unknownFields: "passed",
  };
  const chats = Object.entries(sandbox).map(
    ([key, { dialect, ...model }]): ModelEntry => ({
      ...model,
      operation: "chat",
      id: `sandbox/${key}`,
      created: sandboxSince,
      contextTokens: 131_072,
      maxOutputTokens: 16_384,
      routes: [{ provider: providerOf(provider, dialect), upstreamModel: `sandbox-${key}` }],
      reasoning: "visible",
      rates: sandboxRates,
      tokenizer: "bytes",
      imageTokens: defaultImageTokens,
      templateTokens: defaultTemplateTokens,
    }),
  );
  return [...chats, ...sandboxOperations(provider)];
}

/** The same upstream, called in another dialect. */
function providerOf(chats: OpenaiProvider, dialect: SandboxModel["dialect"]): Provider {
  if (dialect === undefined) return chats;
  const id = `sandbox-${dialect}`;
  const { quirks, ...same } = chats;
  if (dialect === "responses") {
    return { ...chats, id, quirks: { ...quirks, responses: "only", customTools: "native" } };
  }
  const baseUrl = dialect === "google" ? same.baseUrl.replace(/\/v1$/, "/v1beta") : same.baseUrl;
  return { ...same, id, kind: dialect, baseUrl };
}

/** The file with the sandbox models added; an id that the file already has stays the file's. */
export function withSandboxModels(file: CatalogFile, baseUrl: string): CatalogFile {
  const own = new Set(file.models.map((model) => model.id));
  const added = sandboxModels(baseUrl).filter((model) => !own.has(model.id));
  return { ...file, models: [...file.models, ...added] };
}
