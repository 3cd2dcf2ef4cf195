// Embeddings of images, in OpenRouter's form of inputs made of parts: one vector for each input, held for by the bound of each image and
// billed as reported, in the form of each provider, and refused by name where only texts are embedded.
import { afterAll, afterEach, expect, test } from "bun:test";
import { embeddedImageTokens } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  openAccount,
  postJson,
  readJson,
  readMoney,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const model = (id: string, provider: string, more: string) => `
  - id: test/${id}
    operation: embeddings
    contextTokens: 1000
    dimensions: 256
    capabilities: [vision]
    imageTokens: 500
    routes: [${provider}]
    prices: { input: "1"${more} }`;
const routeOf = (provider: string) => `{ provider: ${provider}, model: upstream-images }`;

const catalog = (baseUrl: string) => `
providers:
  - { id: parts, baseUrl: "${baseUrl}", quirks: { embeddedImages: openrouter } }
  - { id: jina, baseUrl: "${baseUrl}", apiKey: key }
  - { id: texts, baseUrl: "${baseUrl}" }
models:${model("parts", `${routeOf("texts")}, ${routeOf("parts")}`, ', imageInput: "3"')}${model("jina", routeOf("jina"), "")}${model("texts", routeOf("texts"), "")}
`;

const server = await startTestServer({ catalog });
const plain = await startTestServer();
afterAll(() => Promise.all([server.close(), plain.close()]));
afterEach(() => expectCleanBooks(server));

const url = `data:image/png;base64,${"A".repeat(400)}`;
const image = { type: "image_url", image_url: { url } };
const text = { type: "text", text: "a lighthouse" };

async function embed(id: string, input: unknown, usd = "10") {
  const account = await openAccount(server, { usd });
  const response = await postJson(server, account.key, "/embeddings", {
    model: `test/${id}`,
    input,
  });
  const body = await readJson(response);
  const { balanceNanos } = await readMoney(server, account.id);
  return { status: response.status, body, balanceNanos, sent: server.upstream.requests.at(-1) };
}

test("an input of text and an image is one vector, at the price of images", async () => {
  const input = [{ content: [text, image] }, { content: [image] }];
  const { status, body, balanceNanos, sent } = await embed("parts", input);
  expect(status).toBe(200);
  expect(body.data).toHaveLength(2);
  expect(at(body, "data.1.embedding")).toHaveLength(256);
  expect(at(sent?.parsed, "input")).toEqual(input);
  const tokens = 2 * embeddedImageTokens;
  expect(at(body, "usage.prompt_tokens")).toBe(tokens);
  expect(10_000_000_000n - balanceNanos).toBe(BigInt(tokens) * 3_000n);
});

test("of a report that does not tell images from text, no more is billed as images than they can have", async () => {
  const long = { type: "text", text: "lighthouse ".repeat(300) };
  const { body, balanceNanos } = await embed("parts", [{ content: [long] }, { content: [image] }]);
  const tokens = Number(at(body, "usage.prompt_tokens"));
  expect(tokens).toBeGreaterThan(500 + embeddedImageTokens);
  expect(10_000_000_000n - balanceNanos).toBe(500n * 3_000n + BigInt(tokens - 500) * 1_000n);
});

test("Jina is sent one text or one image for each vector", async () => {
  const { status, sent } = await embed("jina", [{ content: [text] }, { content: [image] }]);
  expect(status).toBe(200);
  expect(at(sent?.parsed, "input")).toEqual([{ text: text.text }, { image: url }]);
  const both = await embed("jina", [{ content: [text, image] }]);
  expect([both.status, at(both.body, "error.param")]).toEqual([400, "input"]);
});

test("each image is held for by its bound", async () => {
  const { status, body } = await embed("parts", [{ content: [image, image] }], "0.0029");
  expect(status).toBe(402);
  // Two images of 500 tokens, and four around the input.
  expect(at(body, "error.metadata.needed_usd")).toBe("0.003012");
});

test.each([
  ["a provider of texts alone", "texts", [{ content: [image] }], "input"],
  ["an input without parts", "parts", [{ content: [] }], "input[0].content"],
  [
    "a part of another kind",
    "parts",
    [{ content: [{ type: "video" }] }],
    "input[0].content[0].type",
  ],
  [
    "an address that is not https",
    "parts",
    [{ content: [{ type: "image_url", image_url: { url: "http://127.0.0.1/a.png" } }] }],
    "input[0].content[0].image_url.url",
  ],
  ["a mixture of forms", "parts", [{ content: [text] }, "text"], "input[1]"],
])("%s is refused by name, and nothing is sent", async (_what, id, input, param) => {
  const before = server.upstream.requests.length;
  const { status, body, balanceNanos } = await embed(id, input);
  expect([status, at(body, "error.param")]).toEqual([400, param]);
  expect(server.upstream.requests.length).toBe(before);
  expect<bigint>(balanceNanos).toBe(10_000_000_000n);
});

test("a model that reads no images says so", async () => {
  const { key } = await openAccount(plain);
  const asked = { model: testModels.embeddings, input: [{ content: [image] }] };
  const response = await postJson(plain, key, "/embeddings", asked);
  expect([response.status, at(await readJson(response), "error.param")]).toEqual([400, "input"]);
});
