// Tools use numbers that a double cannot hold, such as ids of 64 bits: whatever a call or a schema is
// translated to, in a request or in an answer, it keeps its digits.
import { describe, expect, test } from "bun:test";
import {
  type ChatRequest,
  chatProtocol,
  messagesProtocol,
  responsesProtocol,
} from "@turnpike/wire";
import fc from "fast-check";
import type { Provider, UpstreamCall } from "../provider.ts";
import { chatCall } from "./anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import { sampleCall } from "./openai/sample-call.fixture.ts";
import { sample } from "./openai-responses/recorded-items.fixture.ts";

const digits = "9007199254740993123";
const decimal = "0.12345678901234567890";
const input = `{"id":${digits},"share":${decimal},"big":1e400}`;
const schema = `{"type":"object","properties":{"id":{"type":"integer","maximum":${digits}}}}`;
const spelled = JSON.stringify(input);

const providers: Readonly<Record<string, Provider>> = {
  openai: sampleCall().provider,
  anthropic: chatCall().provider,
  gemini: geminiCall().provider,
  "openai-responses": sample(false).provider,
};

type Parse = (raw: string, headers: Headers) => ChatRequest;

/** A turn with a call in it, and the tool that was called, in each language. */
const bodies: Readonly<Record<string, readonly [Parse, string]>> = {
  chat: [
    chatProtocol.parse,
    `{"model":"m","tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}],
      "messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"c","type":"function",
      "function":{"name":"f","arguments":${spelled}}}]},{"role":"tool","tool_call_id":"c","content":"b"}]}`,
  ],
  messages: [
    messagesProtocol.parse,
    `{"model":"m","max_tokens":9,"temperature":0.70000000000000001,"tools":[{"name":"f","input_schema":${schema}}],
      "messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f",
      "input":${input}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"b"}]}]}`,
  ],
  responses: [
    responsesProtocol.parse,
    `{"model":"m","tools":[{"type":"function","name":"f","parameters":${schema}}],
      "input":[{"role":"user","content":"a"},{"type":"function_call","call_id":"c","name":"f","arguments":${spelled}},
      {"type":"function_call_output","call_id":"c","output":"b"}]}`,
  ],
};

describe.each(Object.entries(bodies))("a request of %s", (_, [parse, raw]) => {
  test.each(Object.entries(providers))("to %s", (_, provider) => {
    const request = parse(raw, new Headers());
    const call: UpstreamCall<ChatRequest> = { ...sampleCall(), provider, request };
    // In texts of calls the quotes are escaped.
    const body = dialectOf(call).buildRequest(call).body.replaceAll("\\", "");
    expect(body).toContain(`"id":${digits}`);
    expect(body).toContain(`"share":${decimal}`);
    expect(body).toContain('"big":1e400');
    expect(body).toContain(`"maximum":${digits}`);
  });
});

/** Decimal texts of any length, with and without a point and an exponent. */
const anyDecimal = fc
  .record({
    whole: fc.stringMatching(/^(?:0|[1-9]\d{0,20})$/),
    fraction: fc.stringMatching(/^(?:\.\d{1,20})?$/),
    exponent: fc.stringMatching(/^(?:[eE][+-]?\d{1,3})?$/),
    isNegative: fc.boolean(),
  })
  .map(({ whole, fraction, exponent, isNegative }) =>
    [isNegative ? "-" : "", whole, fraction, exponent].join(""),
  );

/** The same for two texts only if they are the same number, without the limits of a double. */
function numberOf(text: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const mantissa = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = mantissa.replace(/0+$/, "");
  const scale = Number(exponent) - fraction.length + mantissa.length - significant.length;
  return significant === "" ? "0" : `${sign}${significant}e${scale}`;
}

test("any decimal keeps its digits, alone in a request and in an answer", () => {
  const toolUse = (value: string) =>
    `{"type":"message","content":[{"type":"tool_use","id":"c","name":"f","input":{"n":${value}}}],"stop_reason":"tool_use"}`;
  const functionCall = (value: string) =>
    `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"n":${value}}}}]},"finishReason":"STOP"}]}`;
  const schemaOf = (value: string) => `{"type":"object","maximum":${value}}`;
  const askedIn: Readonly<Record<string, (value: string) => string>> = {
    chat: (value) =>
      `{"model":"m","messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"f","parameters":${schemaOf(value)}}}]}`,
    messages: (value) =>
      `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}],"tools":[{"name":"f","input_schema":${schemaOf(value)}}]}`,
    responses: (value) =>
      `{"model":"m","input":"a","tools":[{"type":"function","name":"f","parameters":${schemaOf(value)}}]}`,
  };
  const kept = (text: string, name: string) =>
    numberOf(new RegExp(`\\\\?"${name}\\\\?":(-?[\\d.eE+-]+)`).exec(text)?.[1] ?? "nothing");
  fc.assert(
    fc.property(anyDecimal, (value) => {
      const expected = numberOf(value);
      for (const [language, write] of Object.entries(askedIn)) {
        const request = bodies[language]?.[0](write(value), new Headers());
        if (request === undefined) throw new Error(language);
        for (const provider of Object.values(providers)) {
          const call: UpstreamCall<ChatRequest> = { ...sampleCall(), provider, request };
          expect(kept(dialectOf(call).buildRequest(call).body, "maximum")).toBe(expected);
        }
      }
      for (const [call, body] of [
        [chatCall(), toolUse(value)],
        [geminiCall(), functionCall(value)],
      ] as const) {
        const { content } = dialectOf(call).parseWhole(call, body, new Headers());
        expect(kept(JSON.stringify(content).replaceAll("\\", ""), "n")).toBe(expected);
      }
    }),
    { numRuns: 300, examples: [["123456789.123456789"], ["-0.5e-7"], ["1.234567890123456E1"]] },
  );
});

test("other numbers are still numbers: a temperature of many digits is one", () => {
  const [parse, raw] = bodies.messages ?? [];
  const request = parse?.(raw ?? "", new Headers());
  expect(request?.parsed.temperature).toBe(0.7);
});

const event = (json: string) => `data: ${json}\n\n`;
const block = `{"type":"tool_use","id":"c","name":"f","input":${input}}`;
const part = `{"functionCall":{"id":"c","name":"f","args":${input}}}`;
const message = `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${input}}}]}`;

const answers: readonly (readonly [string, UpstreamCall<ChatRequest>, string])[] = [
  ["anthropic", chatCall(), `{"type":"message","content":[${block}],"stop_reason":"tool_use"}`],
  [
    "gemini",
    geminiCall(),
    `{"candidates":[{"content":{"parts":[${part}]},"finishReason":"STOP"}]}`,
  ],
  [
    "openai with arguments that are an object",
    sampleCall({ language: "other" }),
    `{"choices":[{"index":0,"message":${message},"finish_reason":"tool_calls"}]}`,
  ],
];

test.each(answers)("a whole answer of %s", (_, call, body) => {
  const { content } = dialectOf(call).parseWhole(call, body, new Headers());
  const identity = { id: "msg_1", model: "m", created: 1 };
  const asChat = chatProtocol.writeWhole(content, identity, undefined, sampleCall().request);
  expect(JSON.parse(asChat).choices[0].message.tool_calls[0].function.arguments).toBe(input);
  const question = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "a" }] };
  const own = messagesProtocol.parse(JSON.stringify(question), new Headers());
  const asMessage = messagesProtocol.writeWhole(content, identity, undefined, own);
  expect(asMessage).toContain(`"input":${input}`);
});

test.each([
  [
    "anthropic",
    chatCall({ stream: true }),
    event('{"type":"message_start","message":{}}') +
      event(`{"type":"content_block_start","index":0,"content_block":${block}}`) +
      event('{"type":"content_block_stop","index":0}'),
  ],
  [
    "gemini",
    geminiCall({ stream: true }),
    event(`{"candidates":[{"index":0,"content":{"parts":[${part}]}}]}`),
  ],
] as const)("a streamed answer of %s", (_, call: UpstreamCall<ChatRequest>, body) => {
  const options = { maxEventBytes: 1024 * 1024, headers: new Headers() };
  const read = dialectOf(call).openStream?.(call, options).push(new TextEncoder().encode(body));
  const deltas = (read ?? []).flatMap((each) => (each.kind === "deltas" ? each.deltas : []));
  const said = deltas.map((delta) => (delta.kind === "tool_call" ? delta.arguments : ""));
  expect(said.join("")).toBe(input);
});
