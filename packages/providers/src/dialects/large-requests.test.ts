// Conversations of agents: as many messages, items and tools as the protocols document, more keys than a chat
// completion may have, and nesting to the bound, over every kind of upstream.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { messagesProtocol, parseChatRequest, responsesProtocol } from "@turnpike/wire";
import { buildRequest as askAnthropic } from "./anthropic/build-request.ts";
import { ownCall } from "./anthropic/sample-messages-call.fixture.ts";
import { buildRequest as askChat } from "./openai/build-request.ts";
import { sampleCall } from "./openai/sample-call.fixture.ts";
import { buildResponsesRequest } from "./openai-responses/build-responses-request.ts";
import { sampleResponseCall } from "./openai-responses/sample-response.fixture.ts";

const many = <One>(count: number, one: (index: number) => One): One[] =>
  Array.from({ length: count }, (_, index) => one(index));
const countOf = (list: unknown) => (Array.isArray(list) ? list.length : undefined);

describe("a request of /v1/messages", () => {
  const parse = (fields: object) =>
    messagesProtocol.parse(JSON.stringify({ model: "m", max_tokens: 9, ...fields }), new Headers());
  const user = { role: "user", content: "Hi" };

  test("may have 100,000 messages", () => {
    const messages = many(100_000, (index) =>
      index % 2 === 0 ? user : { role: "assistant", content: "Ho" },
    );
    const request = parse({ messages: [...messages.slice(0, -1)] });
    expect(request.messageCount).toBe(99_999);
    const own = JSON.parse(askAnthropic({ ...ownCall(), request }).body);
    expect(countOf(own.messages)).toBe(99_999);
    const chat = JSON.parse(askChat({ ...sampleCall(), request }).body);
    expect(countOf(chat.messages)).toBe(99_999);
  });

  test("may be nested to the bound, also where its translation is nested deeper", () => {
    // The body has three levels around it, the translation four.
    const nested = `${'{"a":'.repeat(60)}{}${"}".repeat(60)}`;
    const input_schema = JSON.parse(nested);
    const request = parse({ messages: [user], tools: [{ name: "f", input_schema }] });
    const [tool] = JSON.parse(askChat({ ...sampleCall(), request }).body).tools;
    expect(tool.function.parameters).toEqual(input_schema);
    expect(() =>
      parse({ messages: [user], tools: [{ name: "f", input_schema: { a: input_schema } }] }),
    ).toThrow(Fault);
  });
});

describe("a request of /v1/responses", () => {
  const parameters = { type: "object", properties: Object.fromEntries(many(30, (at) => [at, {}])) };
  const body = {
    safety_identifier: "s".repeat(128),
    input: many(10_000, (index) => ({ role: index % 2 ? "assistant" : "user", content: "Hi" })),
    tools: many(512, (index) => ({ type: "function", name: `f${index}`, parameters })),
  };

  test("may have 10,000 items and 512 tools, and is relayed byte for byte", () => {
    const call = sampleResponseCall({ body });
    const sent = JSON.parse(buildResponsesRequest(call).body);
    expect(sent).toMatchObject({ safety_identifier: body.safety_identifier, tools: body.tools });
    expect(countOf(sent.input)).toBe(10_000);
  });

  test("may have them also where it is translated", () => {
    const raw = JSON.stringify({ model: "m", ...body });
    const request = responsesProtocol.parse(raw, new Headers());
    const sent = JSON.parse(askChat({ ...sampleCall({ like: "openai" }), request }).body);
    expect([countOf(sent.messages), countOf(sent.tools)]).toEqual([10_000, 512]);
    expect(sent.safety_identifier).toHaveLength(64);
  });

  test.each<[object, string]>([
    [{ stop: 5 }, "stop"],
    [{ seed: "x" }, "seed"],
    [{ logit_bias: { word: 1 } }, "logit_bias.word"],
    [{ Web_Search_Options: {} }, "Web_Search_Options"],
  ])("may have fields of a chat completion that are right: %j is refused", (fields, param) => {
    const raw = JSON.stringify({ model: "m", input: "Hi", ...fields });
    const refused = expect.objectContaining({ details: expect.objectContaining({ param }) });
    expect(() => responsesProtocol.parse(raw, new Headers())).toThrow(refused);
  });
});

test("a chat completion keeps its bounds", () => {
  const raw = JSON.stringify({
    model: "m",
    messages: many(2_000, () => ({ role: "user", content: "Hi" })),
  });
  expect(parseChatRequest(raw).messageCount).toBe(2_000);
  const wide = JSON.stringify({ model: "m", messages: [], x: many(10_000, () => ({ a: 1 })) });
  expect(() => parseChatRequest(wide)).toThrow("more than 10000 keys");
});
