// What parsing a minimal request with a field does in each API, for comparison with what docs/request-fields.md says.
import { Fault } from "@turnpike/base";
import { parseChatRequest } from "../chat/parse-chat-request.ts";
import { findUnlistedField } from "../checks/find-unlisted-field.ts";
import { parseCompletionsRequest } from "../completions/parse-completions-request.ts";
import { parseEmbeddingsRequest } from "../embeddings/parse-embeddings-request.ts";
import { parseGeminiRequest } from "../gemini/parse-gemini-request.ts";
import { parseInteractionsRequest } from "../interactions/parse-interactions-request.ts";
import { parseMessagesRequest } from "../messages/parse-messages-request.ts";
import { type Api, languageOf } from "../protocol/languages.ts";
import { parseResponsesRequest } from "../responses/parse-responses-request.ts";

const question = [{ role: "user", content: "Hello" }];
const headers = new Headers();

const minimal = {
  chat: { messages: question },
  responses: { input: "Hello" },
  messages: { messages: question, max_tokens: 9 },
  gemini: { contents: [{ parts: [{ text: "Hello" }] }] },
  interactions: { input: "Hello" },
  completions: { prompt: "Hello" },
  embeddings: { input: "Hello" },
} as const;

const parsers = {
  chat: (raw: string) => parseChatRequest(raw),
  responses: (raw: string) => parseResponsesRequest(raw, headers),
  messages: (raw: string) => parseMessagesRequest(raw, headers),
  gemini: (raw: string) => parseGeminiRequest(raw),
  interactions: parseInteractionsRequest,
  completions: parseCompletionsRequest,
  embeddings: parseEmbeddingsRequest,
} as const;

/** At least one of them is of the right kind for each field. */
const values: readonly unknown[] = [
  "x",
  "",
  "auto",
  "standard",
  "default",
  "flex",
  "float",
  "fallback",
  "global",
  "text/plain",
  true,
  false,
  0,
  1,
  100,
  [],
  ["x"],
  ["text"],
  ["image"],
  {},
  question,
  { type: "auto" },
  { type: "text" },
  { type: "disabled" },
  { mode: "off" },
  { type: "content", content: "x" },
  { voice: "x", format: "mp3" },
  { type: "json_schema", schema: {} },
  [{ type: "function", function: { name: "f" } }],
  [{ name: "f" }],
];

/** What a field is only valid together with. */
const companions: Readonly<Record<string, object>> = { stream_options: { stream: true } };

export type Observed = "accepted" | "priced" | "refused" | "unknown";

/** What happens with valid values of the field of that name. */
export function observeField(api: Api, name: string): ReadonlySet<Observed> {
  const observed = new Set<Observed>();
  for (const value of values) {
    const one = observe(api, name, value);
    if (one !== undefined) observed.add(one);
  }
  return observed;
}

function observe(api: Api, name: string, value: unknown): Observed | undefined {
  const body = { model: "m", ...minimal[api], [name]: value, ...companions[name] };
  try {
    const request = parsers[api](JSON.stringify(body));
    const language = languageOf[api === "completions" ? "chat" : api];
    if (findUnlistedField(request, language) === name) return "unknown";
    const changes = request.operation === "chat" ? request.priceChanging : [];
    return changes.some((change) => change.name === name) ? "priced" : "accepted";
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const isByName = thrown.code === "unsupported_parameter" && thrown.details.param === name;
    return isByName ? "refused" : undefined;
  }
}
