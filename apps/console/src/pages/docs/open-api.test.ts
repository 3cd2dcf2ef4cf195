import { expect, test } from "bun:test";
import { chooseModels } from "./doc-facts.ts";
import { readOperations, sampleBody, sectionsOfApi } from "./open-api.ts";
import { describeType, fieldsOf, type Schema } from "./schema-fields.ts";
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
        responses: {
          200: {
            content: {
              "application/json": { schema: { properties: { choices: { type: "array" } } } },
              "text/event-stream": { schema: { properties: { delta: { type: "object" } } } },
            },
          },
          "4XX": {},
        },
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

test("an operation has the fields of its response, and of the events of a stream", () => {
  expect(chat.answer.map(({ name }) => name)).toEqual(["choices"]);
  expect(chat.event.map(({ name }) => name)).toEqual(["delta"]);
  expect([change.answer, change.event]).toEqual([[], []]);
});

const parts: Readonly<Record<string, Schema>> = {
  Text: { type: "object", properties: { type: { const: "text" }, text: { type: "string" } } },
  Image: { properties: { type: { enum: ["image_url"] }, url: { type: "string" } } },
  Tree: { description: "A tree.", properties: { trees: { items: { $ref: "#/x/Tree" } } } },
};
const resolve = (schema: Schema) => parts[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;

test("a field says what it is for, in its own words or in those of what it refers to", () => {
  const properties = {
    own: { $ref: "#/x/Tree", description: "Mine." },
    tree: { $ref: "#/x/Tree" },
  };
  const fields = fieldsOf({ properties }, resolve);
  expect(fields.map(({ description }) => description)).toEqual(["Mine.", "A tree."]);
});

test("the fields inside a field are those of its items, as deep as the reader goes", () => {
  const [tree] = fieldsOf({ properties: { tree: { $ref: "#/x/Tree" } } }, resolve);
  const [trees] = tree?.inside() ?? [];
  const [inner] = trees?.inside() ?? [];
  expect([trees?.name, inner?.name]).toEqual(["trees", "trees"]);
});

test("a union whose parts have a tag is its parts, any other one all their fields", () => {
  const tagged = {
    anyOf: [{ type: "string" }, { items: { oneOf: [{ $ref: "x/Text" }, { $ref: "x/Image" }] } }],
  };
  const kinds = fieldsOf(tagged, resolve);
  expect(kinds.map(({ name }) => name)).toEqual(["text", "image_url"]);
  expect(kinds[1]?.inside().map(({ name }) => name)).toEqual(["type", "url"]);
  const first = { properties: { a: { description: "First." } } };
  const second = { properties: { a: { description: "Second." }, b: {} } };
  const merged = fieldsOf({ anyOf: [first, second] }, resolve);
  expect(merged.map(({ name, description }) => [name, description])).toEqual([
    ["a", "First."],
    ["b", undefined],
  ]);
});

test("types are described in words, long lists by examples", () => {
  const typeOf = (schema: Schema) => describeType(schema, resolve);
  expect(typeOf({ type: ["string", "null"] })).toBe("string or null");
  expect(typeOf({ anyOf: [{ type: "string" }, { enum: ["a"] }] })).toBe("string");
  expect(typeOf({ anyOf: [{ enum: ["a"] }, { type: "null" }] })).toBe('"a" or null');
  expect(typeOf({ anyOf: [{ $ref: "#/x/Text" }, { $ref: "#/x/Image" }] })).toBe("object");
  expect(typeOf({ const: "text" })).toBe('"text"');
  const many = Array.from({ length: 50 }, (_, index) => index);
  expect(typeOf({ enum: many })).toBe("0, 1, 2, 3, 4, 5, 6, 7, …");
});

test("the search finds an endpoint by its path, its summary and its fields", () => {
  const [section] = sectionsOfApi(operations);
  expect(section).toMatchObject({
    title: "POST /v1/chat/completions",
    href: "/docs/reference#post-chat-completions",
  });
  expect(section?.text).toContain("temperature");
});
