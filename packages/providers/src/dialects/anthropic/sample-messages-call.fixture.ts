// Calls to an Anthropic upstream for the tests of this package, from callers of either language.
import { messagesProtocol, parseChatRequest } from "@turnpike/wire";
import type { AnthropicProvider } from "../../provider.ts";
import type { MessagesCall } from "./message-stream.ts";

const provider: AnthropicProvider = {
  id: "anthropic",
  kind: "anthropic",
  baseUrl: "https://api.example.com/v1",
  credential: { scheme: "x-api-key", secret: "sk-ant-0123456789abcdef" },
  cancelledStream: "billed_as_written",
};

const same = {
  provider,
  upstreamModel: "claude-sonnet-4-5",
  maxTokens: undefined,
  coveredTokens: 1_000,
  omittedFields: [],
  identity: { id: "msg_ours", model: "vendor/model", created: 1_700_000_000 },
};

/** The custom tool that recorded answers call. */
export const recordedTools = [
  { type: "custom", custom: { name: "apply_patch", format: { type: "text" } } },
];

/** From a caller of Anthropic's language; `raw` where its exact bytes matter. */
export function ownCall(fields: object = {}, raw?: string): MessagesCall {
  const messages = [{ role: "user", content: "Hello" }];
  const text = raw ?? JSON.stringify({ model: "m", max_tokens: 100, messages, ...fields });
  return { ...same, request: messagesProtocol.parse(text, new Headers()) };
}

/** From a caller of chat completions. */
export function chatCall(fields: object = {}): MessagesCall {
  const messages = [{ role: "user", content: "Hello" }];
  return {
    ...same,
    request: parseChatRequest(JSON.stringify({ model: "m", messages, ...fields })),
  };
}
