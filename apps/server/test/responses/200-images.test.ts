// Images of a response: a model that draws by itself is offered the tool `image_generation`, draws with it, whole and streamed, and is
// shown its image again; it is billed at the rate of images.
import { afterAll, afterEach, expect, test } from "bun:test";
import { smallImage } from "@turnpike/testing";
import OpenAI from "openai";
import { readLastCharge } from "../harness/count-calls.ts";
import {
  asObject,
  at,
  expectCleanBooks,
  openAccount,
  providerKey,
  readJson,
  startTestServer,
} from "../harness/index.ts";
import { parseNamedEvents, postResponse } from "./post-responses.ts";

const image = smallImage("png", { width: 16, height: 16, color: [1, 2, 3] }).toString("base64");
const inlineData = { mimeType: "image/png", data: image };

/** 10 tokens of text in, 5 of text and 1,290 of an image out. */
const usageMetadata = {
  promptTokenCount: 10,
  candidatesTokenCount: 1_295,
  totalTokenCount: 1_305,
  candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_290 }],
};
const costNanos = 10n * 1_000n + 5n * 2_000n + 1_290n * 30_000n;

const seen: unknown[] = [];
const gemini = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const asked: unknown = await request.json();
    seen.push(asked);
    const part = (given: object) => ({
      candidates: [{ content: { role: "model", parts: [given] }, index: 0 }],
    });
    const last = {
      candidates: [
        { content: { role: "model", parts: [{ inlineData }] }, finishReason: "STOP", index: 0 },
      ],
      usageMetadata,
    };
    if (!request.url.includes("streamGenerateContent")) {
      const draws = at(asked, "generationConfig.responseModalities") !== undefined;
      const parts = [{ text: "Here it is." }, ...(draws ? [{ inlineData }] : [])];
      const candidates = [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }];
      return Response.json({ candidates, usageMetadata });
    }
    const events = [part({ text: "Here it is." }), last];
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  },
});

const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: gemini, kind: google, baseUrl: "${gemini.url}v1beta", apiKey: "${providerKey}" }
  - { id: native, baseUrl: "${baseUrl}", apiKey: "${providerKey}", quirks: { responses: native } }
models:
  - id: test/draws
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [vision]
    routes: [{ provider: gemini, model: gemini-3-flash-image }]
    prices: { input: "1", output: "2", imageOutput: "30" }
  - id: test/writes
    contextTokens: 100000
    maxOutputTokens: 10000
    routes: [{ provider: gemini, model: gemini-3-flash }]
    prices: { input: "1", output: "2" }
  - id: test/relayed
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [vision]
    routes: [{ provider: native, model: upstream-model }]
    prices: { input: "1", output: "2", imageOutput: "30" }
`,
});
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await gemini.stop(true);
});

const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl, maxRetries: 0 });
const tools = [{ type: "image_generation" as const, size: "1536x1024" as const }];
const model = "test/draws";

test("an image is an item of the tool, and is billed as one", async () => {
  const response = await client.responses.create({ model, input: "Draw a cat.", tools });
  const [message, call, ...others] = response.output;
  expect(others).toEqual([]);
  expect(message).toMatchObject({ type: "message", content: [{ text: "Here it is." }] });
  expect(call).toMatchObject({
    type: "image_generation_call",
    status: "completed",
    result: image,
  });
  expect(call?.id).toStartWith("ig_");
  expect(response.usage?.output_tokens).toBe(1_295);
  expect(at(seen.at(-1), "generationConfig")).toMatchObject({
    responseModalities: ["TEXT", "IMAGE"],
    imageConfig: { aspectRatio: "3:2" },
  });
  await expectCleanBooks(server);
  expect(await readLastCharge(server, account)).toBe(costNanos);
});

test("a stream announces the image, and has it when it is done", async () => {
  const body = { model, input: "Draw a cat.", tools, stream: true };
  const answer = await postResponse(server, account.key, { body });
  const events = parseNamedEvents(await answer.text());
  const ofImage = events.filter((event) => event.output_index === 1);
  expect(ofImage.map(({ type }) => type)).toEqual([
    "response.output_item.added",
    "response.image_generation_call.in_progress",
    "response.image_generation_call.generating",
    "response.image_generation_call.completed",
    "response.output_item.done",
  ]);
  expect(at(ofImage.at(-1), "item.result")).toBe(image);
  expect(at(events.at(-1), "response.output.1.result")).toBe(image);
});

test("only an image is asked for where the tool is chosen", async () => {
  const chosen = { type: "image_generation" as const };
  await client.responses.create({ model, input: "Draw.", tools, tool_choice: chosen });
  expect(at(seen.at(-1), "generationConfig.responseModalities")).toEqual(["IMAGE"]);
  await client.responses.create({ model, input: "Write.", tools, tool_choice: "none" });
  expect(at(seen.at(-1), "generationConfig.responseModalities")).toBeUndefined();
});

test("the image of an earlier answer is sent to the model again", async () => {
  const first = await client.responses.create({ model, input: "Draw a cat.", tools });
  const asked = [{ role: "user", content: "Draw a cat." }];
  const input = [...asked, ...first.output, { role: "user", content: "Make it black." }];
  const body = { model, input, tools };
  expect((await postResponse(server, account.key, { body })).status).toBe(200);
  expect(JSON.stringify(at(seen.at(-1), "contents"))).toContain(image);
});

test.each([
  ["another model", { model: "gpt-image-2" }, "tools[0].model"],
  ["a mask", { input_image_mask: { image_url: "x" } }, "tools[0].input_image_mask"],
  ["a quality", { quality: "high" }, "tools[0].quality"],
  ["a size without a ratio", { size: "512x512" }, "tools[0].size"],
])("%s is refused by name, and nothing is asked", async (_what, fields, param) => {
  const { length } = seen;
  const tool = { type: "image_generation", ...fields };
  const body = { model, input: "Draw.", tools: [tool] };
  const answer = await postResponse(server, account.key, { body });
  expect([answer.status, at(await readJson(answer), "error.param")]).toEqual([400, param]);
  expect(seen).toHaveLength(length);
});

test.each(["test/writes", "test/relayed"])("%s has no images of a known price", async (id) => {
  const body = { model: id, input: "Draw.", tools };
  const answer = await postResponse(server, account.key, { body });
  const { param, code } = asObject(asObject(await readJson(answer)).error);
  expect([answer.status, code, param]).toEqual([400, "unsupported_parameter", "tools"]);
});

test("the tool cannot be chosen where it is not offered", async () => {
  const body = { model, input: "Draw.", tool_choice: { type: "image_generation" } };
  const answer = await postResponse(server, account.key, { body });
  expect([answer.status, at(await readJson(answer), "error.param")]).toEqual([
    400,
    "tool_choice.type",
  ]);
});
