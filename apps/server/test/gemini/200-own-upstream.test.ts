// Gemini's API over a provider of the same language: nothing of an answer is lost, apart from what is ours in it.
import { expect, test } from "bun:test";
import {
  at,
  providerKey,
  readJson,
  readLastCharge,
  startTestServer,
  usdNumber,
  useServer,
} from "../harness/index.ts";
import { asking, postGemini } from "./ask-gemini.fixture.ts";

const catalog = (baseUrl: string) => `
providers:
  - { id: google, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${providerKey}" }
models:
  - id: google/own
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, json_schema, reasoning, vision, files]
    reasoning: visible
    routes: [{ provider: google, model: gemini-3-flash }]
    prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }
`;
const { server, account } = await useServer(startTestServer({ catalog }));
const post = postGemini(server, account);
const path = "/v1beta/models/google/own";

/** What no other language could express. */
const rich = {
  candidates: [
    {
      content: {
        parts: [
          { text: "Look:" },
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { executableCode: { language: "PYTHON", code: "1" } },
        ],
        role: "model",
      },
      finishReason: "STOP",
      index: 0,
      groundingMetadata: { webSearchQueries: ["a"] },
      avgLogprobs: -0.125,
    },
  ],
  promptFeedback: { safetyRatings: [] },
  usageMetadata: {
    promptTokenCount: 10,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 2,
    totalTokenCount: 17,
    trafficType: "ON_DEMAND",
  },
  modelVersion: "gemini-3-flash",
  responseId: "theirs",
};
const json = JSON.stringify(rich);

test("a whole answer has its own bytes, with our id, model and bill", async () => {
  const headers = { "content-type": "application/json" };
  const answer = await post(`${path}:generateContent`, asking({ body: json, headers }));
  const text = await answer.text();
  expect(text.slice(0, text.indexOf('"usageMetadata"'))).toBe(
    json.slice(0, json.indexOf('"usageMetadata"')),
  );
  const cost = usdNumber(await readLastCharge(server, account));
  expect(cost).toBe((10 * 100 + 7 * 400) / 1e9);
  expect(JSON.parse(text)).toMatchObject({
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      trafficType: "ON_DEMAND",
      cost,
    },
    modelVersion: "google/own",
    responseId: answer.headers.get("x-generation-id"),
  });
  expect(text).not.toContain("theirs");
});

test("a stream has its own responses, and the last of them the bill", async () => {
  const first = { ...rich, candidates: [{ content: rich.candidates[0]?.content, index: 0 }] };
  const body = `data: ${JSON.stringify(first)}\r\n\r\ndata: ${json}\r\n\r\n`;
  const headers = { "content-type": "text/event-stream" };
  const answer = await post(`${path}:streamGenerateContent?alt=sse`, asking({ body, headers }));
  const text = await answer.text();
  expect(text).toMatch(/^(?:data: \{.*\}\n\n){2}$/);
  expect(text).not.toContain("theirs");
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, event = ""]) => JSON.parse(event));
  expect(events.map((event) => at(event, "candidates"))).toEqual([
    first.candidates,
    rich.candidates,
  ]);
  const cost = usdNumber(await readLastCharge(server, account));
  expect(events.map(({ usageMetadata }) => usageMetadata.cost)).toEqual([undefined, cost]);
});

test("a request reaches it as it was written", async () => {
  const fields = {
    generation_config: { thinkingConfig: { thinkingLevel: "LOW" }, topK: 3 },
    safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
  };
  const asked = asking({ deltas: 2 }, fields);
  expect((await post(`${path}:generateContent`, asked)).status).toBe(200);
  expect(server.upstream.requests.at(-1)?.parsed).toEqual(asked);
});

test("what could reach the operator's account, or has no price, is refused", async () => {
  const cases: [object, string][] = [
    [{ unknownField: 1 }, "unknownField"],
    [{ generationConfig: { newKnob: 1 } }, "generationConfig.newKnob"],
    [
      { generationConfig: { mediaResolution: "MEDIA_RESOLUTION_HIGH" } },
      "generationConfig.mediaResolution",
    ],
    [{ tools: [{ googleSearch: {} }] }, "tools[0].googleSearch"],
    [{ tools: [{ codeExecution: {} }] }, "tools[0].codeExecution"],
    [
      { tools: [{ functionDeclarations: [{ name: "f", secret: 1 }] }] },
      "tools[0].functionDeclarations[0].secret",
    ],
    [
      { contents: [{ parts: [{ text: "a", mediaResolution: { level: "x" } }] }] },
      "contents[0].parts[0].mediaResolution",
    ],
  ];
  for (const [fields, field] of cases) {
    const answer = await post(`${path}:generateContent`, { ...asking({}), ...fields });
    const { error } = await readJson(answer);
    expect([field, answer.status]).toEqual([field, 400]);
    expect(at(error, "details.1.fieldViolations.0.field")).toBe(field);
  }
});

test("a stream is cut at a stop sequence that Gemini does not take", async () => {
  const stopSequences = ["1", "2", "3", "4", "5", " six"];
  const asked = asking({ text: "five six seven" }, { generationConfig: { stopSequences } });
  const body = await readJson(await post(`${path}:generateContent`, asked));
  expect(at(body, "candidates.0.content.parts.0.text")).toBe("five");
});
