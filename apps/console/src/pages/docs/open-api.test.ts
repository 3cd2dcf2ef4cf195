import { expect, test } from "bun:test";
import { chooseModels } from "./doc-facts.ts";
import { describeType, readOperations, sampleBody, sectionsOfApi } from "./open-api.ts";
import { addressOf } from "./send-request.ts";

const models = chooseModels([
  { id: "acme/large", operation: "chat", capabilities: [] },
  { id: "acme/embeddings", operation: "embeddings", capabilities: [] },
]);

const operations = readOperations({
  paths: {
    "/v1/chat/completions": {
      post: {
        operationId: "post-chat-completions",
        summary: "Create a chat completion",
        tags: ["Models"],
        security: [{ apiKey: [] }],
        parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }],
        requestBody: { content: { "application/json": { schema: { $ref: "#/x/Chat" } } } },
      },
    },
    "/v1/management/keys/{id}": {
      patch: {
        operationId: "patch-key",
        summary: "Change a key",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "limit", in: "query", schema: { type: "integer" } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: { properties: { name: { type: "string" } }, required: ["name"] },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Chat: {
        allOf: [
          { $ref: "#/x/Common" },
          { properties: { messages: { type: "array" } }, required: ["messages"] },
        ],
      },
      Common: { properties: { temperature: { type: ["number", "null"] } } },
    },
    parameters: { IdempotencyKey: { name: "Idempotency-Key", in: "header" } },
  },
});
const [chat, change] = operations;
if (chat === undefined || change === undefined) throw new Error("an operation is missing");

test("an operation has the fields of all parts of its body, required ones first", () => {
  expect(chat.fields.map(({ name, required }) => [name, required])).toEqual([
    ["messages", true],
    ["temperature", false],
  ]);
  expect(chat.parameters.map(({ name }) => name)).toEqual(["Idempotency-Key"]);
  expect([chat.key, change.key]).toEqual(["API key", "management key"]);
});

test("a body to begin with runs where it can, and has the required fields elsewhere", () => {
  expect(JSON.parse(sampleBody(chat, models))).toMatchObject({ model: "acme/large" });
  expect(JSON.parse(sampleBody(change, models))).toEqual({ name: "" });
});

test("an address has its parameters, escaped, and no empty ones", () => {
  const values = { id: "a/b", limit: "5" };
  expect(addressOf({ operation: change, values })).toBe("/v1/management/keys/a%2Fb?limit=5");
  expect(addressOf({ operation: change, values: { id: "x" } })).toBe("/v1/management/keys/x");
});

test("types are described in words, long lists by examples", () => {
  expect(describeType({ type: ["string", "null"] })).toBe("string or null");
  expect(describeType({ anyOf: [{ type: "string" }, { enum: ["a"] }] })).toBe("string");
  expect(describeType({ anyOf: [{ enum: ["a"] }, { type: "null" }] })).toBe('"a" or null');
  const many = Array.from({ length: 50 }, (_, index) => index);
  expect(describeType({ enum: many })).toBe("0, 1, 2, 3, 4, 5, 6, 7, …");
});

test("the search finds an endpoint by its path, its summary and its fields", () => {
  const [section] = sectionsOfApi(operations);
  expect(section).toMatchObject({
    title: "POST /v1/chat/completions",
    href: "/docs/reference#post-chat-completions",
  });
  expect(section?.text).toContain("temperature");
});
