// Turns of an agent that uses Gemini's API, over providers of each language: calls, their results, and what a provider needs
// back of its reasoning, which clients return unread.
import { describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  asObject,
  at,
  type JsonObject,
  providerKey,
  readJson,
  scriptText,
  startTestServer,
  testCatalog,
  testModels,
  useServer,
} from "../harness/index.ts";
import { asking, postGemini } from "./ask-gemini.fixture.ts";

const google = "google/scripted";
const catalog = (baseUrl: string) =>
  testCatalog(baseUrl)
    .replace(
      "models:\n",
      `  - { id: google, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${providerKey}" }\nmodels:\n`,
    )
    .concat(`  - id: ${google}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, json_schema, reasoning, vision, files]
    reasoning: visible
    routes: [{ provider: google, model: gemini-3-flash }]
    prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }
`);
const { server, account } = await useServer(startTestServer({ catalog }));
const post = postGemini(server, account);

const functionDeclarations = [
  {
    name: "files.read",
    description: "Reads a file.",
    parameters: {
      type: "OBJECT",
      properties: { path: { type: "STRING", nullable: true }, lines: { type: "INTEGER" } },
      required: ["path"],
    },
  },
];
const toolCalls = [
  { name: "files_read", arguments: '{"path":"a"}' },
  { name: "files_read", arguments: '{"path":"b"}' },
];
const thinkingConfig = { includeThoughts: true, thinkingBudget: 2_000 };

const partsOf = (candidates: unknown): JsonObject[] => {
  const parts = at(candidates, "0.content.parts");
  return Array.isArray(parts) ? parts.map(asObject) : [];
};

async function ask(model: string, body: JsonObject, streamed: boolean): Promise<JsonObject[]> {
  const fields = { tools: [{ functionDeclarations }], generationConfig: { thinkingConfig } };
  const method = streamed ? "streamGenerateContent?alt=sse" : "generateContent";
  const answer = await post(`/v1beta/models/${model}:${method}`, { ...fields, ...body });
  expect(answer.status).toBe(200);
  if (!streamed) return partsOf((await readJson(answer)).candidates);
  const text = await answer.text();
  return [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, json = ""]) =>
    partsOf(JSON.parse(json).candidates),
  );
}

const isCall = (part: JsonObject) => part.functionCall !== undefined;

/** The second turn, with the results of the first. */
function resultsOf(said: readonly JsonObject[], answers: readonly JsonObject[]): JsonObject {
  const parts = said.filter(isCall).map(({ functionCall }, index) => {
    const { id, name } = asObject(functionCall);
    return { functionResponse: { id, name, response: answers[index] } };
  });
  const contents = [
    { role: "user", parts: [{ text: "Read a and b." }] },
    { role: "model", parts: said },
    { role: "user", parts },
    { role: "user", parts: [{ text: scriptText({ deltas: 1 }) }] },
  ];
  return { contents };
}

const lastSent = () => asObject(server.upstream.requests.at(-1)?.parsed);

describe.each([
  ["whole", false],
  ["streamed", true],
] as const)("a %s answer", (_, streamed) => {
  test("of an OpenAI-compatible model calls functions by their own names", async () => {
    const script: Script = { toolCalls };
    const said = await ask(testModels.cheap, asking(script), streamed);
    expect(said.filter(isCall)).toEqual(
      ["a", "b"].map((path) => ({
        functionCall: { id: expect.any(String), name: "files.read", args: { path } },
      })),
    );
    expect(at(lastSent(), "tools.0.function.parameters")).toEqual({
      type: "object",
      properties: { path: { type: ["string", "null"] }, lines: { type: "integer" } },
      required: ["path"],
    });
    await ask(testModels.cheap, resultsOf(said, [{ output: "one" }, { error: "no b" }]), streamed);
    const sent = lastSent().messages;
    expect(sent).toMatchObject([
      { role: "user", content: "Read a and b." },
      { role: "assistant", tool_calls: [{}, {}] },
      { role: "tool", content: "one" },
      { role: "tool", content: "Error: no b" },
      { role: "user" },
    ]);
  });

  test("of Claude keeps the signature of its thinking", async () => {
    const script: Script = { reasoning: 2, signature: "c2lnbmF0dXJl", toolCalls };
    const said = await ask(testModels.anthropic, asking(script), streamed);
    expect(said.some(({ thought, text }) => thought === true && text !== "")).toBe(true);
    await ask(
      testModels.anthropic,
      resultsOf(said, [{ output: "one" }, { output: "two" }]),
      streamed,
    );
    expect(at(lastSent(), "messages.1.content.0")).toMatchObject({
      type: "thinking",
      thinking: expect.stringContaining("t"),
      signature: "c2lnbmF0dXJl",
    });
  });

  test("of Claude keeps it where thoughts are not shown, or the client drops what they say", async () => {
    const script: Script = { reasoning: 2, signature: "c2lnbmF0dXJl", toolCalls };
    const hidden = { generationConfig: { thinkingConfig: { thinkingBudget: 2_000 } } };
    const said = await ask(testModels.anthropic, { ...asking(script), ...hidden }, streamed);
    expect(said.filter(({ thought }) => thought === true).map(({ text }) => text)).toEqual([""]);
    await ask(
      testModels.anthropic,
      resultsOf(said, [{ output: "one" }, { output: "two" }]),
      streamed,
    );
    const thinking = asObject(at(lastSent(), "messages.1.content.0"));
    expect(thinking).toMatchObject({ type: "thinking", signature: "c2lnbmF0dXJl" });
    expect(String(thinking.thinking).length).toBeGreaterThan(0);
  });

  test("of Gemini has Gemini's own signatures, which go back as they came", async () => {
    const said = await ask(google, asking({ reasoning: 1, toolCalls }), streamed);
    const signatures = said.flatMap(({ thoughtSignature }) => thoughtSignature ?? []);
    expect(signatures.length).toBeGreaterThan(0);
    await ask(google, resultsOf(said, [{ output: "one" }, { output: "two" }]), streamed);
    const sent = JSON.stringify(lastSent().contents);
    for (const signature of signatures) expect(sent).toContain(`"thoughtSignature":"${signature}"`);
    expect(sent).not.toContain("turnpike");
  });
});

test("a placeholder for a signature is accepted and reaches no other language", async () => {
  for (const thoughtSignature of [
    "skip_thought_signature_validator",
    "context_engineering_is_the_way_to_go",
    Buffer.from("skip_thought_signature_validator").toString("base64url"),
  ]) {
    const call = { name: "files.read", args: { path: "a" } };
    const said = [{ functionCall: call, thoughtSignature }];
    for (const model of [testModels.cheap, testModels.anthropic]) {
      await ask(model, resultsOf(said, [{ output: "one" }]), false);
      expect(JSON.stringify(lastSent())).not.toContain(thoughtSignature);
      expect(JSON.stringify(lastSent())).not.toContain("skip_thought");
    }
    await ask(google, resultsOf(said, [{ output: "one" }]), false);
    expect(JSON.stringify(lastSent())).toContain(thoughtSignature);
  }
});

test("settings have the names of the provider that is asked", async () => {
  const generationConfig = {
    temperature: 0.5,
    top_p: 0.9,
    maxOutputTokens: 50,
    stopSequences: ["END"],
    responseMimeType: "application/json",
    responseSchema: { type: "OBJECT", properties: { a: { type: "STRING" } } },
  };
  const fields = {
    system_instruction: { parts: { text: "Be brief." } },
    generation_config: generationConfig,
    safetySettings: [{ category: "HARM_CATEGORY_HATE_SPEECH", threshold: "BLOCK_NONE" }],
    labels: { team: "a" },
  };
  const answer = await post(
    `/v1beta/models/${testModels.cheap}:generateContent`,
    asking({}, fields),
  );
  expect(answer.status).toBe(200);
  expect(lastSent()).toMatchObject({
    messages: [{ role: "system", content: "Be brief." }, { role: "user" }],
    temperature: 0.5,
    top_p: 0.9,
    max_tokens: 50,
    stop: ["END"],
    response_format: {
      type: "json_schema",
      json_schema: { schema: { type: "object", properties: { a: { type: "string" } } } },
    },
  });
  expect(lastSent()).not.toHaveProperty("safetySettings");
});
