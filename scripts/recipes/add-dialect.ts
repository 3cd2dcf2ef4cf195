// "Add a dialect" with an API that wraps a chat completion and answers with its text alone.
import type { Recipe } from "./recipe.ts";

const dialect = `// The API of Harbor: a chat completion in an envelope, answered with its text and two counts. No caller uses it, so every
// request and every answer is translated.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import type { ChatRequest, TokenUsage } from "@turnpike/wire";
import type { Dialect, HarborProvider, StreamEvent, StreamOptions } from "../../provider.ts";
import { notJson, refuse, refusedInside, unreadable } from "../../refusals/refuse.ts";
import type { Fault } from "@turnpike/base";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { findLostField, losesField } from "../lost-fields.ts";
import { parseCount } from "../openai/parse-usage.ts";
import { PayloadStream } from "../payload-stream.ts";

export const harborDialect: Dialect<ChatRequest, HarborProvider> = {
  language: "harbor",
  buildRequest: ({ request, upstreamModel, maxTokens, coveredTokens }) => ({
    path: "/answers",
    accept: request.stream ? "text/event-stream" : "application/json",
    body: JSON.stringify({
      model: upstreamModel,
      chat: request.parsed,
      limit: maxTokens ?? request.maxTokens ?? coveredTokens,
    }),
    ignored: [],
  }),
  whyUntranslatable: (_, { parsed }) => findLostField("harbor", parsed),
  losesParameter: (name) => losesField("harbor", name),
  openStream: (call, options) => new HarborStream(call.provider, options),
  parseWhole(call, text, headers) {
    const { answer, counts } = acceptBody(parseObject(text), call, headers);
    if (typeof answer !== "string") throw unreadable();
    const deltas = [
      { kind: "text", choice: 0, text: answer },
      { kind: "finish", choice: 0, reason: "stop" },
    ] as const;
    return {
      kind: "whole",
      upstreamId: undefined,
      content: { kind: "deltas", deltas },
      usage: parseUsage(counts),
      finish: { reason: "stop", native: "end" },
      deliveredTokens: Math.ceil(answer.length / 4),
    };
  },
  parseUnread: (call, members, headers) =>
    acceptUnread(members, call, headers, ({ counts }) => parseUsage(counts)),
  refuse,
};

class HarborStream extends PayloadStream {
  readonly #provider: HarborProvider;
  readonly #headers: Headers;

  constructor(provider: HarborProvider, options: StreamOptions) {
    super(options);
    this.#provider = provider;
    this.#headers = options.headers;
  }

  protected read(payload: string, events: StreamEvent[]): void {
    const source = parseObject(payload);
    if (source === undefined) throw notJson();
    const text = parseText(source.answer);
    if (text !== undefined) {
      const deltas = [{ kind: "text", choice: 0, text }] as const;
      events.push({ kind: "deltas", deltas, tokens: Math.ceil(text.length / 4) });
    }
    const usage = parseUsage(source.counts);
    if (usage === undefined) return;
    events.push({ kind: "deltas", deltas: [{ kind: "finish", choice: 0, reason: "stop" }], tokens: 0 });
    events.push({ kind: "usage", usage });
    events.push({ kind: "finish", reason: "stop", native: "end" });
    this.complete(events);
  }

  protected refused(source: JsonObject): Fault {
    return refusedInside(source, this.#provider, this.#headers);
  }
}

function parseUsage(counts: unknown): TokenUsage | undefined {
  if (!isObject(counts)) return undefined;
  const [promptTokens, completionTokens] = [parseCount(counts.read), parseCount(counts.written)];
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  return { promptTokens, completionTokens, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
}
`;

export const addDialect: Recipe = {
  title: "Add a dialect",
  edits: [
    {
      file: "request-field.ts",
      replace:
        'export const dialectNames = ["anthropic", "gemini", "responses", "geminiEmbeddings"]',
      by: `export const dialectNames = ["anthropic", "gemini", "responses", "geminiEmbeddings", "harbor"]`,
    },
    {
      file: "request-field.ts",
      replace: "{ anthropic: true, gemini: true, responses: true };",
      by: "{ anthropic: true, gemini: true, responses: true, harbor: true };",
    },
    {
      file: "lost-fields.ts",
      after: "geminiEmbeddings: \"Gemini's embeddings",
      insert: '  harbor: "Harbor has no counterpart for it",',
    },
    {
      file: "packages/providers/src/provider.ts",
      before: "/** One variant per family of dialects",
      insert: 'export type HarborProvider = ProviderBase & { readonly kind: "harbor" };\n',
    },
    {
      file: "packages/providers/src/provider.ts",
      after: "  | GoogleProvider",
      insert: "  | HarborProvider",
    },
    { file: "known-providers.ts", after: '  "google",', insert: '  "harbor",' },
    {
      file: "known-providers.ts",
      after: '  google: "x-goog-api-key",',
      insert: '  harbor: "bearer",',
    },
    {
      file: "known-providers.ts",
      after: "export type KnownGoogle",
      insert: '\nexport type KnownHarbor = KnownBase & { readonly kind: "harbor" };',
    },
    {
      file: "known-providers.ts",
      replace: "KnownAudio | KnownCloud;",
      by: "KnownAudio | KnownHarbor | KnownCloud;",
    },
    {
      file: "dialect-of.ts",
      before: 'import { openaiDialect } from "./openai/openai-dialect.ts";',
      insert: 'import { harborDialect } from "./harbor/harbor-dialect.ts";',
    },
    {
      file: "dialect-of.ts",
      before: "  elevenlabs: { speech",
      insert: "  harbor: { chat: harborDialect },",
    },
    { beside: "dialect-of.ts", add: "harbor/harbor-dialect.ts", text: dialect },
    { file: "read-provider.ts", after: "  google: readOwnApi,", insert: "  harbor: readOwnApi," },
    {
      file: "read-provider.ts",
      replace: '"elevenlabs", "deepgram"] as const;',
      by: '"elevenlabs", "deepgram", "harbor"] as const;',
    },
    {
      file: "read-provider.ts",
      before: '    case "deepgram":',
      insert: '    case "harbor":',
    },
  ],
};
