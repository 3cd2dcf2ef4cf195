// Gemini's API as its clients see it, for the table of protocols and dialects: the model and the way are in the path.
import { asObject, at, type JsonObject } from "../harness/index.ts";
import { type ClientProtocol, parseEvents, type Reply, textOf } from "./protocols.fixture.ts";

const parameters = { type: "OBJECT", properties: { city: { type: "STRING" } } };

const partsOf = (response: JsonObject): JsonObject[] => {
  const parts = at(response, "candidates.0.content.parts");
  return Array.isArray(parts) ? parts.map(asObject) : [];
};

function readResponses(responses: readonly JsonObject[]): Reply {
  const parts = responses.flatMap(partsOf);
  return {
    text: parts.map(({ text, thought }) => (thought === true ? "" : textOf(text))).join(""),
    calls: parts
      .filter(({ functionCall }) => functionCall !== undefined)
      .map(({ functionCall }) => {
        const { name, args } = asObject(functionCall);
        return { name: textOf(name), arguments: args };
      }),
    reasoned: parts.some(({ thought, text }) => thought === true && text !== ""),
    complete: responses.some((response) => at(response, "candidates.0.finishReason") !== undefined),
    failed: responses.some((response) => "error" in response),
  };
}

export const gemini: ClientProtocol = {
  name: "gemini",
  path: "/models",
  pathOf: (model, stream) =>
    `/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  ask: (_, { text, tools, image, schemaMember, reasoning }) => ({
    contents: [
      {
        role: "user",
        parts: [
          { text },
          ...(image === undefined ? [] : [{ inlineData: { mimeType: "image/png", data: image } }]),
        ],
      },
    ],
    generationConfig: {
      maxOutputTokens: 2_000,
      ...(reasoning && { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } }),
      ...(schemaMember && {
        responseMimeType: "application/json",
        responseSchema: {
          type: "OBJECT",
          properties: { [schemaMember]: { type: "STRING" } },
          required: [schemaMember],
        },
      }),
    },
    ...(tools && {
      tools: [{ functionDeclarations: tools.map((name) => ({ name, parameters })) }],
    }),
  }),
  readWhole: (body) => readResponses([body]),
  readStream: (streamed) => readResponses(parseEvents(streamed).events),
};
