// The AI SDK's gateway protocol as its clients see it, for the table of protocols and dialects: the model and the way are in headers.
import { asObject, type JsonObject } from "../harness/index.ts";
import {
  type ClientProtocol,
  listOf,
  parseEvents,
  type Reply,
  textOf,
} from "./protocols.fixture.ts";

const inputSchema = { type: "object", properties: { city: { type: "string" } } };

const partsWith = (parts: readonly JsonObject[], wanted: string) =>
  parts.filter(({ type }) => type === wanted);

function callsOf(parts: readonly JsonObject[]): Reply["calls"] {
  return partsWith(parts, "tool-call").map(({ toolName, input }) => {
    return { name: textOf(toolName), arguments: JSON.parse(textOf(input)) };
  });
}

export const aiGateway: ClientProtocol = {
  name: "AI SDK gateway",
  path: "/ai/language-model",
  headersOf: (model, stream) => ({
    "ai-gateway-protocol-version": "0.0.1",
    "ai-language-model-id": model,
    "ai-language-model-specification-version": "4",
    "ai-language-model-streaming": String(stream),
  }),
  ask: (_, { text, tools, image, schemaMember, reasoning }) => ({
    prompt: [
      {
        role: "user",
        content: [
          { type: "text", text },
          ...(image === undefined
            ? []
            : [{ type: "file", mediaType: "image/png", data: { type: "data", data: image } }]),
        ],
      },
    ],
    maxOutputTokens: 2_000,
    ...(reasoning && { reasoning: "low" }),
    ...(tools && { tools: tools.map((name) => ({ type: "function", name, inputSchema })) }),
    ...(schemaMember && {
      responseFormat: {
        type: "json",
        schema: {
          type: "object",
          properties: { [schemaMember]: { type: "string" } },
          required: [schemaMember],
          additionalProperties: false,
        },
      },
    }),
  }),
  readWhole({ content, finishReason }) {
    const parts = listOf(content);
    return {
      text: partsWith(parts, "text")
        .map(({ text }) => textOf(text))
        .join(""),
      calls: callsOf(parts),
      reasoned: partsWith(parts, "reasoning").length > 0,
      complete: typeof asObject(finishReason).unified === "string",
      failed: false,
    };
  },
  readStream(streamed) {
    const { events } = parseEvents(streamed);
    return {
      text: partsWith(events, "text-delta")
        .map(({ delta }) => textOf(delta))
        .join(""),
      calls: callsOf(events),
      reasoned: partsWith(events, "reasoning-delta").length > 0,
      complete: partsWith(events, "finish").length === 1,
      failed: partsWith(events, "error").length === 1,
    };
  },
};
