// For tests: a chat model with one route, and the request that asks for it.
import { newId, type PriceId } from "@turnpike/base";
import type { ChatModel, ModelRequest } from "@turnpike/catalog";
import { defaultQuirks, noCredential } from "@turnpike/providers";
import { parseChatRequest } from "@turnpike/wire";

const rate = 1_000_000n;

export const chatModel: ChatModel = {
  operation: "chat",
  id: "test/model",
  name: "",
  description: "",
  created: new Date(0),
  contextTokens: 10_000,
  maxOutputTokens: 1_000,
  capabilities: ["vision"],
  reasoning: "visible",
  routes: [
    {
      provider: {
        id: "test",
        kind: "openai-compatible",
        baseUrl: "http://127.0.0.1:1/v1",
        credential: noCredential,
        quirks: defaultQuirks,
        cancelledStream: "billed_as_written",
      },
      upstreamModel: "model",
    },
  ],
  tokenizer: "bytes",
  imageTokens: 1,
  templateTokens: 1,
  price: {
    id: newId<PriceId>(),
    since: new Date(0),
    inputNanosPerMillion: rate,
    cachedInputNanosPerMillion: rate,
    cacheWriteNanosPerMillion: rate,
    outputNanosPerMillion: rate,
  },
};

/** A streamed request with `fields` added to it or replaced in it. */
export function parseStreamed(fields: Readonly<Record<string, unknown>> = {}) {
  const messages = [{ role: "user", content: "hello" }];
  return parseChatRequest(
    JSON.stringify({ model: chatModel.id, messages, stream: true, ...fields }),
  );
}

export function askFor(
  fields: Readonly<Record<string, unknown>> = {},
  model: ChatModel = chatModel,
): ModelRequest {
  return { operation: "chat", model, request: parseStreamed(fields) };
}
