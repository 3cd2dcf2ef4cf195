// Schemas that Anthropic turns out not to take: the request is sent again without them, and later ones at once.
import { expect, test } from "bun:test";
import { anthropicDialect } from "./anthropic-dialect.ts";
import { chatCall, ownCall } from "./sample-messages-call.fixture.ts";

const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
const response_format = { type: "json_schema", json_schema: { name: "s", schema } };
const tools = [{ type: "function", function: { name: "f", parameters: schema, strict: true } }];
const tooLarge = "The compiled grammar is too large, which would cause performance issues.";
const refusal = (message: string) => JSON.stringify({ type: "error", error: { message } });

/** A provider that has refused nothing yet. */
function freshCall(fields: object) {
  const call = chatCall(fields);
  return { ...call, provider: { ...call.provider } };
}

const askInstead: typeof anthropicDialect.retryAfterRefusal = (...refused) =>
  anthropicDialect.retryAfterRefusal?.(...refused);

test("a format and strict tools are asked for in words and without strictness, then and later", () => {
  const fields = { response_format, tools, reasoning_effort: "low" };
  const call = { ...freshCall(fields), upstreamModel: "claude-opus-4-8" };
  const first = anthropicDialect.buildRequest(call);
  expect(JSON.parse(first.body)).toMatchObject({
    output_config: { effort: "low", format: { schema } },
    tools: [{ strict: true }],
  });
  const second = askInstead(call, first, 400, refusal(tooLarge));
  const body = JSON.parse(second?.body ?? "{}");
  expect(body.output_config).toEqual({ effort: "low" });
  expect(body.tools).toEqual([{ name: "f", input_schema: schema }]);
  expect(body.system.at(-1).text).toContain("JSON Schema");
  expect(JSON.parse(anthropicDialect.buildRequest(call).body)).toEqual(body);
  const other = freshCall({ ...fields, tools: [] });
  const elsewhere = { ...other, provider: call.provider, upstreamModel: call.upstreamModel };
  expect(
    JSON.parse(anthropicDialect.buildRequest(elsewhere).body).output_config.format,
  ).toBeDefined();
});

test.each([
  tooLarge,
  "Schemas contains too many parameters with union types (24), limit: 16",
  "output_config.format.schema: For 'array' type, 'minItems' values other than 0 or 1 are not supported",
  "tools.0.custom: For 'object' type, 'minProperties' is not supported",
])("%s", (message) => {
  const call = freshCall({ tools });
  const second = askInstead(call, anthropicDialect.buildRequest(call), 400, refusal(message));
  const body = JSON.parse(second?.body ?? "{}");
  expect(body.tools).toEqual([{ name: "f", input_schema: schema }]);
  expect(body).not.toHaveProperty("output_config");
  expect(body).not.toHaveProperty("system");
});

test("every other refusal is the caller's, and so are those of Anthropic's own language", () => {
  const call = freshCall({ response_format });
  const asked = anthropicDialect.buildRequest(call);
  expect(askInstead(call, asked, 400, refusal(`messages.0: ${tooLarge}`))).toBeUndefined();
  expect(askInstead(call, asked, 500, refusal(tooLarge))).toBeUndefined();
  const plain = freshCall({ tools: [{ type: "function", function: { name: "f" } }] });
  const plainly = anthropicDialect.buildRequest(plain);
  expect(askInstead(plain, plainly, 400, refusal(tooLarge))).toBeUndefined();
  const own = ownCall({ output_config: { format: { type: "json_schema", schema } } });
  expect(
    askInstead(own, anthropicDialect.buildRequest(own), 400, refusal(tooLarge)),
  ).toBeUndefined();
});
