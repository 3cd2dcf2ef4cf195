// What of typed deltas a client of Gemini's API is sent, streamed in both framings and whole.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import type { Bill, DeltaEvent } from "../protocol/pivot.ts";
import { type GeminiFraming, GeminiStreamWriter } from "./gemini-stream.ts";
import { type GeminiRequest, parseGeminiRequest } from "./parse-gemini-request.ts";
import { openSignature } from "./thought-signature.ts";
import { writeResponse } from "./write-response.ts";

const identity = { id: "gen-1", model: "a/b", created: 1_700_000_000 };
const end = { modelVersion: "a/b", responseId: "gen-1", createTime: "2023-11-14T22:13:20.000Z" };
const usage = {
  promptTokens: 10,
  completionTokens: 7,
  cachedTokens: 4,
  cacheWriteTokens: 0,
  reasoningTokens: 2,
};
const bill: Bill = { usage, costNanos: toNanos(1_500n) };

function requestOf(showsThoughts = true): GeminiRequest {
  const generationConfig = { thinkingConfig: { includeThoughts: showsThoughts } };
  const tools = [{ functionDeclarations: [{ name: "f.g" }] }];
  const body = { contents: [{ parts: [{ text: "a" }] }], generationConfig, tools };
  return parseGeminiRequest(JSON.stringify(body), { model: "a/b", stream: true });
}

const text = (said: string, choice = 0): DeltaEvent => ({ kind: "text", choice, text: said });
const think = (said: string, signature?: string): DeltaEvent => ({
  kind: "reasoning",
  choice: 0,
  text: said,
  signature,
});
const call = (index: number, fragment: string, head: object = {}): DeltaEvent => ({
  kind: "tool_call",
  choice: 0,
  index,
  id: undefined,
  name: undefined,
  arguments: fragment,
  ...head,
});
const finish = (reason: "stop" | "length" | "tool_calls" | "content_filter"): DeltaEvent => ({
  kind: "finish",
  choice: 0,
  reason,
});

function stream(batches: readonly DeltaEvent[][], framing: GeminiFraming = "events") {
  const writer = new GeminiStreamWriter(requestOf(), identity, framing);
  return batches.map((batch) => writer.writeDeltas(batch)).join("") + writer.writeEnd(bill);
}

const eventsOf = (streamed: string) =>
  [...streamed.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
const whole = (deltas: readonly DeltaEvent[], request = requestOf()) =>
  JSON.parse(writeResponse({ kind: "deltas", deltas }, identity, bill, request));
const partsOf = (deltas: readonly DeltaEvent[], request?: GeminiRequest) =>
  whole(deltas, request).candidates[0].content.parts;

describe("a stream", () => {
  const streamed = stream([
    [text("Hel"), text("lo")],
    [text("!"), finish("length")],
  ]);

  test("has an event for each batch, and the last has the reason and the usage", () => {
    const event = (said: string) => ({
      candidates: [{ content: { parts: [{ text: said }], role: "model" }, index: 0 }],
      ...end,
    });
    expect(eventsOf(streamed)).toEqual([
      event("Hello"),
      event("!"),
      {
        candidates: [
          {
            content: { parts: [{ text: "" }], role: "model" },
            finishReason: "MAX_TOKENS",
            index: 0,
          },
        ],
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 5,
          totalTokenCount: 17,
          promptTokensDetails: [{ modality: "TEXT", tokenCount: 10 }],
          cachedContentTokenCount: 4,
          thoughtsTokenCount: 2,
          cost: 0.0000015,
        },
        ...end,
      },
    ]);
    expect(streamed).toMatch(/^(?:data: \{[^\n]*\}\n\n)+$/);
  });

  test("without alt=sse is one list of the same", () => {
    const list = stream(
      [
        [text("Hel"), text("lo")],
        [text("!"), finish("length")],
      ],
      "list",
    );
    expect(JSON.parse(list)).toEqual(eventsOf(streamed));
    const writer = new GeminiStreamWriter(requestOf(), identity, "list");
    const broken = writer.writeDeltas([text("a")]) + writer.writeFault(fault);
    expect(JSON.parse(broken)).toMatchObject([{}, { error: { code: 502 } }]);
    const silent = new GeminiStreamWriter(requestOf(), identity, "list");
    expect(JSON.parse(`\n${silent.writeFault(fault)}`)).toHaveLength(1);
  });

  const fault = new Fault("bad_gateway", "It broke off.");

  test("never has a thought beside anything else: clients skip what follows one", () => {
    const events = eventsOf(stream([[think("Hm"), think(".", "gemini:c2ln"), text("Hi")]]));
    expect(events.map(({ candidates }) => candidates[0].content.parts)).toEqual([
      [{ text: "Hm.", thought: true, thoughtSignature: "c2ln" }],
      [{ text: "Hi" }],
      [{ text: "" }],
    ]);
  });

  test("has a call as soon as its arguments are complete, and what is incomplete at its end", () => {
    const writer = new GeminiStreamWriter(requestOf(), identity, "events");
    const head = (id: string) => ({ id, name: "f_g" });
    expect(writer.writeDeltas([call(0, '{"a"', head("x"))])).toBe("");
    const first = eventsOf(writer.writeDeltas([call(0, ":1}"), call(1, '{"b"', head("y"))]));
    expect(first[0].candidates[0].content.parts).toEqual([
      { functionCall: { id: "x", name: "f.g", args: { a: 1 } } },
    ]);
    expect(writer.writeDeltas([call(0, "")])).toBe("");
    const [last] = eventsOf(writer.writeEnd(bill));
    expect(last.candidates[0]).toMatchObject({
      content: { parts: [{ functionCall: { id: "y", args: { arguments: '{"b"' } } }] },
      finishReason: "STOP",
    });
  });
});

describe("a whole answer", () => {
  test.each([
    ["stop", "STOP"],
    ["tool_calls", "STOP"],
    ["length", "MAX_TOKENS"],
    ["content_filter", "SAFETY"],
  ] as const)("that ends with %s ends with %s", (reason, expected) => {
    expect(whole([text("a"), finish(reason)]).candidates[0].finishReason).toBe(expected);
  });

  test("has a candidate for each choice, also for none", () => {
    const { candidates } = whole([text("a", 1), text("b", 0), text("c", 1)]);
    expect(
      candidates.map(({ index, content }: { index: number; content: object }) => [index, content]),
    ).toEqual([
      [1, { parts: [{ text: "ac" }], role: "model" }],
      [0, { parts: [{ text: "b" }], role: "model" }],
    ]);
    expect(whole([]).candidates).toMatchObject([{ content: { parts: [] }, finishReason: "STOP" }]);
  });

  test("shows thoughts only where they are asked for, and their signatures always", () => {
    const deltas = [think("Hm"), think(".", "claude"), text("Hi")];
    const [shown] = partsOf(deltas);
    expect(shown).toMatchObject({ text: "Hm.", thought: true });
    const [hidden, said] = partsOf(deltas, requestOf(false));
    expect([hidden.text, said]).toEqual(["", { text: "Hi" }]);
    for (const [part, kept] of [
      [shown, {}],
      [hidden, { text: "Hm." }],
    ]) {
      expect(openSignature(part.thoughtSignature)?.details).toEqual([
        { type: "reasoning.text", signature: "claude", ...kept },
      ]);
    }
    expect(partsOf([think("Hm."), text("Hi")], requestOf(false))).toEqual([{ text: "Hi" }]);
  });

  test("keeps what a provider needs back: Gemini's own as it is, of others sealed", () => {
    const encrypted = (data: string): DeltaEvent => ({
      kind: "reasoning_encrypted",
      choice: 0,
      data,
      id: "rs_1",
      format: "openai-responses-v1",
    });
    const google = { extra_content: { google: { thought_signature: "c2ln" } } };
    const head = (extra: object) => ({ id: "x", name: "f_g", extra });
    const parts = partsOf([
      text("a"),
      encrypted("gemini:dGV4dA=="),
      encrypted("secret"),
      call(0, "{}", head(google)),
      call(1, "{}", head({ own: 1 })),
    ]);
    expect(parts).toMatchObject([
      { text: "a", thoughtSignature: "dGV4dA==" },
      { text: "", thought: true },
      { functionCall: {}, thoughtSignature: "c2ln" },
      { functionCall: {} },
    ]);
    expect(openSignature(parts[1].thoughtSignature)?.details).toEqual([
      { type: "reasoning.encrypted", data: "secret", id: "rs_1", format: "openai-responses-v1" },
    ]);
    expect(openSignature(parts[3].thoughtSignature)?.callExtras).toEqual(
      new Map([["x", { own: 1 }]]),
    );
  });

  test("has the probabilities of its tokens", () => {
    const top_logprobs = [{ token: "a", logprob: -1 }];
    const logprobs = { content: [{ token: "a", logprob: -1, top_logprobs }] };
    const { candidates } = whole([text("a"), { kind: "logprobs", choice: 0, logprobs }]);
    expect(candidates[0].logprobsResult).toEqual({
      chosenCandidates: [{ token: "a", logProbability: -1 }],
      topCandidates: [{ candidates: [{ token: "a", logProbability: -1 }] }],
    });
  });
});
