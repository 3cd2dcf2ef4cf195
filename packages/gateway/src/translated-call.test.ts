// The boundary between languages, tested end to end: a protocol that is not the upstream's gets its answers
// through the pivot, with the same bill, and the gateway does not need to know. The protocol exists
// only here: one event per line instead of OpenAI's chunks.
import { afterAll, expect, test } from "bun:test";
import { type AccountId, type Fault, type GenerationId, newId } from "@turnpike/base";
import type { ChatModel } from "@turnpike/catalog";
import { noLimits } from "@turnpike/keys";
import { type Charge, createCallFacts, type HoldRequest, LeaseBook } from "@turnpike/ledger";
import { toNanos } from "@turnpike/terms";
import { startScriptedUpstream } from "@turnpike/testing";
import {
  type AnswerContent,
  type ChatRequest,
  chatProtocol,
  type DeltaEvent,
  openaiErrors,
  type Protocol,
  parseChatRequest,
} from "@turnpike/wire";
import { chatModel } from "./chat-model.fixture.ts";
import { complete } from "./complete.ts";
import { createGateway } from "./completion.fixture.ts";
import { type Call, CallRecord } from "./gateway.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`;
const deltasOf = (content: AnswerContent) => {
  if (content.kind !== "deltas") throw new Error("an answer in the upstream's language");
  return content.deltas;
};

/** Its requests are `{"ask": "…", "live": true}`. */
const lines: Protocol<ChatRequest> = {
  operation: "chat",
  language: "lines",
  errors: openaiErrors,
  answerId: (id) => `line-${id}`,
  parse(text) {
    const { ask, live } = JSON.parse(text);
    const messages = [{ role: "user", content: ask }];
    const pivot = parseChatRequest(JSON.stringify({ model: "test/model", messages, stream: live }));
    return { ...pivot, language: "lines", raw: text };
  },
  writeWhole: (content, identity, bill) =>
    lineOf({ identity, said: deltasOf(content), bill: !!bill }),
  stream: {
    contentType: "application/x-ndjson",
    keepAlive: "\n",
    open: () => ({
      writeOwn: () => {
        throw new Error("an event in the upstream's language");
      },
      writeDeltas: (deltas: readonly DeltaEvent[]) => deltas.map(lineOf).join(""),
      writeEnd: (bill) => lineOf({ end: bill?.usage.completionTokens }),
      writeFault: (fault: Fault) => lineOf({ fault: fault.code }),
    }),
  },
};

const [route] = chatModel.routes;
const model: ChatModel = {
  ...chatModel,
  capabilities: ["tools"],
  routes: [{ ...route, provider: { ...route.provider, baseUrl: upstream.baseUrl } }],
};

function openBooks() {
  const charges: Charge[] = [];
  const gateway = createGateway({
    catalog: { current: { version: "test", models: new Map([[model.id, model]]) } },
    ledger: {
      hold(request: HoldRequest) {
        const grantedNanos = request.wantNanos;
        const lease = new LeaseBook().openRetired(request.facts);
        const hold = { request, lease, grantedNanos, heldAtMs: performance.now() };
        return { verdict: "held", hold };
      },
      charge(charge) {
        charges.push(charge);
        const { costNanos } = charge;
        return Promise.resolve({
          verdict: "settled",
          chargedNanos: costNanos,
          shortfallNanos: toNanos(0n),
        });
      },
    },
  });
  return { gateway, charges };
}

function callOf(protocol: Protocol<ChatRequest>, text: string): Call<ChatRequest> {
  const payer = { accountId: newId<AccountId>(), keyId: null };
  const generationId = newId<GenerationId>();
  return {
    operation: "chat",
    errors: openaiErrors,
    headers: new Headers(),
    generationId,
    requestId: "req_test",
    head: {},
    record: new CallRecord(),
    receivedAtMs: performance.now(),
    principal: { ...payer, limits: noLimits, origin: "api" },
    facts: createCallFacts({ ...payer, id: generationId }),
    protocol,
    text,
    signal: new AbortController().signal,
  };
}

/** The answer of a call, line by line, and what it was charged for. */
async function answerOf(script: object, live: boolean) {
  const { gateway, charges } = openBooks();
  const ask = `hi #script ${JSON.stringify(script)}`;
  const { body, headers } = await complete(gateway, callOf(lines, JSON.stringify({ ask, live })));
  const text = await new Response(body).text();
  gateway.metrics.close();
  const answered = text
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  return { answered, headers, charges, sent: upstream.requests.at(-1) };
}

const script = { reasoning: 2, deltas: 3, toolCalls: [{ name: "f", arguments: '{"a":1}' }] };

test("a stream reaches a caller of another language as typed events, and is billed the same", async () => {
  const { answered, headers, charges, sent } = await answerOf(script, true);
  expect(headers["content-type"]).toBe("application/x-ndjson");
  const kinds = answered.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "reasoning")).toHaveLength(2);
  expect(kinds.filter((kind) => kind === "text")).toHaveLength(3);
  const called = answered.filter(({ kind }) => kind === "tool_call");
  expect(called[0]).toMatchObject({ index: 0, name: "f" });
  expect(called.map(({ arguments: spelled }) => spelled).join("")).toBe('{"a":1}');
  expect(answered.at(-2)).toMatchObject({ kind: "finish", choice: 0, reason: "tool_calls" });
  const usage = sent?.delivered.usage as { completion_tokens: number };
  expect(answered.at(-1)).toEqual({ end: usage.completion_tokens });
  expect(charges).toHaveLength(1);
  expect(charges[0]?.hold.request.facts.completionTokens).toBe(usage.completion_tokens);
});

test("a whole answer reaches it as the same events, and the request was sent as a chat completion", async () => {
  const { answered, sent } = await answerOf(script, false);
  const [answer] = answered;
  expect(answer?.bill).toBe(true);
  expect(answer?.identity).toMatchObject({ model: "test/model" });
  const said = answer?.said as DeltaEvent[];
  expect(said.map(({ kind }) => kind)).toEqual(["reasoning", "text", "tool_call", "finish"]);
  expect(sent?.path).toBe("/v1/chat/completions");
  expect(sent?.parsed).toMatchObject({ model: "model", messages: [{ role: "user" }] });
});

test("an answer that fails in the middle ends in the caller's own format", async () => {
  const { answered } = await answerOf({ deltas: 5, errorAfterDeltas: 2 }, true);
  expect(answered.at(-1)).toEqual({ fault: "bad_gateway" });
});

test("typed events written as chat completions say what the upstream said", async () => {
  const said = (await answerOf(script, false)).answered[0]?.said as DeltaEvent[];
  const identity = { id: "chatcmpl-x", model: "test/model", created: 1 };
  const { gateway } = openBooks();
  const ask = `hi #script ${JSON.stringify(script)}`;
  const messages = [{ role: "user", content: ask }];
  const body = JSON.stringify({ model: "test/model", messages });
  const content: AnswerContent = { kind: "deltas", deltas: said };
  const whole = JSON.parse(
    chatProtocol.writeWhole(content, identity, undefined, parseChatRequest(body)),
  );
  const own = callOf(chatProtocol, body);
  const lossless = JSON.parse(await new Response((await complete(gateway, own)).body).text());
  gateway.metrics.close();
  const idless = (choice: unknown) => JSON.stringify(choice).replaceAll(/"call_\w+"/g, '"call"');
  expect(JSON.parse(idless(whole.choices[0]))).toEqual(JSON.parse(idless(lossless.choices[0])));
});
