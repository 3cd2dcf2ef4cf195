// Invalid input is refused with OpenAI's codes and the path of the offending field, before
// anything is held or sent.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  type JsonObject,
  openAccount,
  postChat,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { embeddingsBody, postEmbeddings } from "./ask-embeddings.fixture.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));
const account = await openAccount(server);

const { model: _, ...withoutModel } = embeddingsBody("x");
const { input: __, ...withoutInput } = embeddingsBody("x");
const cases: readonly [string, JsonObject, string, string | null][] = [
  ["no model", withoutModel, "missing_required_parameter", "model"],
  ["no input", withoutInput, "missing_required_parameter", "input"],
  ["null as input", embeddingsBody(null), "invalid_type", "input"],
  ["an object as input", embeddingsBody({ text: "x" }), "invalid_type", "input"],
  ["an empty string", embeddingsBody(""), "string_below_min_length", "input"],
  ["an empty list", embeddingsBody([]), "empty_array", "input"],
  ["an empty string in a list", embeddingsBody(["a", ""]), "string_below_min_length", "input[1]"],
  ["a list of mixed kinds", embeddingsBody(["a", 5]), "invalid_type", "input[1]"],
  ["an empty array of tokens", embeddingsBody([[1], []]), "empty_array", "input[1]"],
  ["a negative token", embeddingsBody([1, -1]), "invalid_value", "input[1]"],
  ["a broken token", embeddingsBody([[1, 2.5]]), "invalid_value", "input[0][1]"],
  ["a token that is text", embeddingsBody([[1, "2"]]), "invalid_type", "input[0][1]"],
  [
    "more inputs than 2,048",
    embeddingsBody(Array.from({ length: 2_049 }, () => "x")),
    "array_above_max_length",
    "input",
  ],
  [
    "an unknown encoding",
    embeddingsBody("x", { encoding_format: "hex" }),
    "invalid_value",
    "encoding_format",
  ],
  [
    "no dimensions",
    embeddingsBody("x", { dimensions: 0 }),
    "integer_below_min_value",
    "dimensions",
  ],
  [
    "too many dimensions",
    embeddingsBody("x", { dimensions: 257 }),
    "integer_above_max_value",
    "dimensions",
  ],
  ["a user that is not text", embeddingsBody("x", { user: 5 }), "invalid_type", "user"],
  ["a field in another case", embeddingsBody("x", { Input: "y" }), "unknown_parameter", "Input"],
  [
    "another input, which some servers embed instead",
    embeddingsBody("x", { messages: [{ role: "user", content: "y" }] }),
    "unsupported_parameter",
    "messages",
  ],
  [
    "another address to call",
    embeddingsBody("x", { api_base: "https://other.example" }),
    "unsupported_parameter",
    "api_base",
  ],
  ["half a surrogate pair", embeddingsBody("x\ud800"), "invalid_value", "input"],
  [
    "a text beyond the context",
    embeddingsBody(["a", "word ".repeat(1_200)]),
    "context_length_exceeded",
    "input",
  ],
  [
    "tokens beyond the context",
    embeddingsBody([Array.from({ length: 1_001 }, () => 7)]),
    "context_length_exceeded",
    "input",
  ],
];

test.each(cases)("%s", async (_name, body, code, param) => {
  const before = server.upstream.requests.length;
  await expectFault(await postEmbeddings(server, account.key, body), { status: 400, code, param });
  expect(server.upstream.requests.length).toBe(before);
});

test("as many inputs as OpenAI accepts are accepted", async () => {
  const inputs = Array.from({ length: 2_048 }, (_value, index) => `input ${index}`);
  const response = await postEmbeddings(
    server,
    account.key,
    embeddingsBody(inputs, { dimensions: 2, encoding_format: "base64" }),
  );
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: unknown[] };
  expect(data).toHaveLength(2_048);
});

test("a chat model names the endpoint that serves it, and so does an embeddings model", async () => {
  const wrong = { status: 400, code: "unsupported_value", param: "model" };
  const chat = embeddingsBody("x", { model: testModels.cheap });
  const error = await expectFault(await postEmbeddings(server, account.key, chat), wrong);
  expect(error.message).toContain("POST /v1/chat/completions");
  const embeddings = chatBody({}, { model: testModels.embeddings });
  const other = await expectFault(await postChat(server, account.key, embeddings), wrong);
  expect(other.message).toContain("POST /v1/embeddings");
});

test("a model whose vectors have one length refuses another", async () => {
  const body = embeddingsBody("x", { model: testModels.floats, dimensions: 8 });
  const error = await expectFault(await postEmbeddings(server, account.key, body), {
    status: 400,
    code: "unsupported_value",
    param: "dimensions",
  });
  expect(error.message).toBe(`\`${testModels.floats}\` supports only 256 dimensions.`);
});
