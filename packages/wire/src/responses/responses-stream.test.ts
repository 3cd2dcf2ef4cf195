// Whatever a model says and however the network cuts it: the events of a response are numbered without
// gaps, announce and end every item once, and add up to the response that a whole answer would be.
import { expect, test } from "bun:test";
import { Fault, isObject, type JsonObject } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import fc from "fast-check";
import type { Bill, DeltaEvent } from "../protocol/pivot.ts";
import { anyAnswer } from "./deltas.fixture.ts";
import { parseResponsesRequest } from "./parse-responses-request.ts";
import { responsesProtocol } from "./responses-protocol.ts";

const identity = { id: `resp_${"0".repeat(32)}`, model: "test/model", created: 1 };
const usage = {
  promptTokens: 5,
  completionTokens: 7,
  cachedTokens: 2,
  cacheWriteTokens: 1,
  reasoningTokens: 3,
};
const bill: Bill = { usage, costNanos: toNanos(1_500n) };

const request = (fields: JsonObject = {}) =>
  parseResponsesRequest(
    JSON.stringify({
      model: "test/model",
      input: "hi",
      stream: true,
      tools: [
        { type: "function", name: "f" },
        { type: "function", name: "g" },
        { type: "namespace", name: "spaces", tools: [{ type: "function", name: "f" }] },
        { type: "custom", name: "patch" },
        { type: "tool_search", execution: "client" },
      ],
      ...fields,
    }),
    new Headers(),
  );

/** The frames of a stream; every frame must have the name of its type. */
function eventsOf(frames: string): JsonObject[] {
  return frames
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const [name = "", data = ""] = frame.split("\n");
      const event: JsonObject = JSON.parse(data.replace(/^data: /, ""));
      expect(name).toBe(`event: ${String(event.type)}`);
      return event;
    });
}

function streamOf(batches: readonly DeltaEvent[][], fields: JsonObject = {}, fault?: Fault) {
  const writer = responsesProtocol.stream?.open(request(fields), identity);
  if (writer === undefined) throw new Error("responses are streamed");
  const frames = batches.map((batch) => writer.writeDeltas(batch)).join("");
  const end = fault === undefined ? writer.writeEnd(bill) : writer.writeFault(fault, "req_1");
  return eventsOf(frames + end);
}

function wholeOf(deltas: readonly DeltaEvent[], fields: JsonObject = {}): JsonObject {
  const asked = request({ ...fields, stream: false });
  return JSON.parse(
    responsesProtocol.writeWhole({ kind: "deltas", deltas }, identity, bill, asked),
  );
}

const terminal = ["response.completed", "response.incomplete", "response.failed"];

function responseOf(event: JsonObject | undefined): JsonObject {
  if (!isObject(event?.response)) throw new Error("an event without a response");
  const { completed_at: _, ...response } = event.response;
  return response;
}

const views: readonly JsonObject[] = [
  {},
  { reasoning: { summary: "auto" } },
  { include: ["reasoning.encrypted_content"] },
];

test("events are numbered without gaps, and exactly one of them, the last, ends the response", () => {
  fc.assert(
    fc.property(anyAnswer, fc.constantFrom(...views), fc.boolean(), (batches, fields, fails) => {
      const fault = fails ? new Fault("bad_gateway", "It broke.") : undefined;
      const events = streamOf(batches, fields, fault);
      expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, i) => i));
      expect(events.slice(0, 2).map(({ type }) => type)).toEqual([
        "response.created",
        "response.in_progress",
      ]);
      const ends = events.filter(({ type }) => terminal.includes(String(type)));
      expect(ends).toEqual(events.slice(-1));
      if (fails) expect(ends[0]?.type).toBe("response.failed");
      else expect(ends[0]?.type).not.toBe("response.failed");
    }),
  );
});

test("the last event of a stream shows what a whole answer shows", () => {
  fc.assert(
    fc.property(anyAnswer, fc.constantFrom(...views), (batches, fields) => {
      const { completed_at: _, ...whole } = wholeOf(batches.flat(), fields);
      expect(responseOf(streamOf(batches, fields).at(-1))).toEqual(whole);
    }),
  );
});

/** What a client that reads only events has at the end. */
function assemble(events: readonly JsonObject[]): JsonObject[] {
  const items = new Map<unknown, JsonObject>();
  const done = new Set<unknown>();
  const texts = new Map<string, string>();
  for (const event of events) {
    const { type, output_index: at, item, item_id: id } = event;
    if (type === "response.output_item.added") {
      expect(at).toBe(items.size);
      items.set(at, isObject(item) ? item : {});
    } else if (at !== undefined) {
      expect(done.has(at)).toBe(false);
      if (type !== "response.output_item.done") expect(id).toBe(items.get(at)?.id);
    }
    const part = event.content_index ?? event.summary_index ?? 0;
    const place = `${String(at)} ${String(part)}`;
    if (String(type).endsWith(".delta")) {
      texts.set(place, (texts.get(place) ?? "") + String(event.delta));
    } else if (/(?:text|refusal|arguments|input)\.done$/.test(String(type))) {
      const told = event.text ?? event.refusal ?? event.arguments ?? event.input;
      expect(told).toBe(texts.get(place) ?? "");
    } else if (type === "response.output_item.done") {
      expect(isObject(item) && item.id).toBe(items.get(at)?.id ?? "");
      items.set(at, isObject(item) ? item : {});
      done.add(at);
    }
  }
  expect(done.size).toBe(items.size);
  return [...items.values()];
}

test("items are added once, in order, done once, and their deltas add up to them", () => {
  fc.assert(
    fc.property(anyAnswer, fc.constantFrom(...views), (batches, fields) => {
      const events = streamOf(batches, fields);
      expect(assemble(events)).toEqual(responseOf(events.at(-1)).output as JsonObject[]);
    }),
  );
});

test("a limit and a filter make a response incomplete, and mark its last item", () => {
  const said: DeltaEvent = { kind: "text", choice: 0, text: "half" };
  for (const [reason, shown] of [
    ["length", "max_output_tokens"],
    ["content_filter", "content_filter"],
  ] as const) {
    const events = streamOf([[said, { kind: "finish", choice: 0, reason }]]);
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: {
        status: "incomplete",
        incomplete_details: { reason: shown },
        output: [{ status: "incomplete", content: [{ text: "half" }] }],
      },
    });
  }
});

test("a broken answer keeps what was said, marked as incomplete, and has no bill", () => {
  const said: DeltaEvent = { kind: "text", choice: 0, text: "half" };
  const fault = new Fault("upstream_rate_limited", "Too fast.");
  expect(streamOf([[said]], {}, fault).at(-1)).toMatchObject({
    type: "response.failed",
    response: {
      status: "failed",
      error: { code: "rate_limit_exceeded", message: "Too fast." },
      output: [{ type: "message", status: "incomplete", content: [{ text: "half" }] }],
      usage: null,
    },
  });
});

test("reasoning is a summary for those who ask for one, and shown in full to all others", () => {
  const deltas: DeltaEvent[] = [
    { kind: "reasoning", choice: 0, text: "why", signature: undefined },
    { kind: "finish", choice: 0, reason: "stop" },
  ];
  const [item] = wholeOf(deltas, { reasoning: { summary: "auto" } }).output as JsonObject[];
  expect(item).toMatchObject({
    type: "reasoning",
    summary: [{ type: "summary_text", text: "why" }],
  });
  const [plain] = wholeOf(deltas).output as JsonObject[];
  expect(plain).toMatchObject({
    summary: [],
    content: [{ type: "reasoning_text", text: "why" }],
  });
  expect(plain).not.toHaveProperty("encrypted_content");
});

test("calls are returned as the tools were offered: namespaces, custom tools and the client's search", () => {
  const call = (index: number, name: string, spelled: string): DeltaEvent => ({
    kind: "tool_call",
    choice: 0,
    index,
    id: `c${index}`,
    name,
    arguments: spelled,
  });
  const deltas: DeltaEvent[] = [
    call(0, "spaces__f", "{}"),
    call(1, "patch", '{"input":"*** Begin"}'),
    { ...call(2, "patch", "raw text"), isCustom: true } as DeltaEvent,
    call(3, "tool_search", '{"query":"q"}'),
    call(4, "patch", "not what was asked"),
  ];
  expect(wholeOf(deltas).output).toMatchObject([
    { type: "function_call", call_id: "c0", name: "f", namespace: "spaces", arguments: "{}" },
    { type: "custom_tool_call", call_id: "c1", name: "patch", input: "*** Begin" },
    { type: "custom_tool_call", call_id: "c2", input: "raw text" },
    { type: "tool_search_call", call_id: "c3", execution: "client", arguments: { query: "q" } },
    { type: "custom_tool_call", input: "not what was asked" },
  ]);
});

test("a response is only the first choice", () => {
  const said = (choice: number, text: string): DeltaEvent => ({ kind: "text", choice, text });
  const { output } = wholeOf([said(1, "no"), said(0, "yes"), said(1, "no")]);
  expect(output).toMatchObject([{ content: [{ text: "yes" }] }]);
});

test("a failure after an upstream's own events is numbered after them", () => {
  const writer = responsesProtocol.stream?.open(request(), identity);
  const own = (type: string, number: number) =>
    writer?.writeOwn(JSON.stringify({ type, sequence_number: number }), type);
  own("response.created", 0);
  own("response.output_text.delta", 1);
  const frames = writer?.writeFault(new Fault("bad_gateway", "It broke off."), "req_1") ?? "";
  expect(eventsOf(frames)).toMatchObject([{ type: "response.failed", sequence_number: 2 }]);
});

test("each signed block of reasoning is a separate part", () => {
  const block = (text: string): DeltaEvent => ({
    kind: "reasoning",
    choice: 0,
    text,
    signature: `signs ${text}`,
  });
  const [item] = wholeOf([block("one"), block("two")]).output as JsonObject[];
  expect(item).toMatchObject({ content: [{ text: "one" }, { text: "two" }] });
});

test("a call ends before the next item begins, and calls that interleave end when they are complete", () => {
  const fragment = (index: number, spelled: string, name?: string): DeltaEvent => ({
    kind: "tool_call",
    choice: 0,
    index,
    id: name && `c${index}`,
    name,
    arguments: spelled,
  });
  const orderOf = (...deltas: readonly DeltaEvent[]) =>
    streamOf([[...deltas, { kind: "finish", choice: 0, reason: "tool_calls" }]]).flatMap(
      ({ type, output_index: at }) =>
        /output_item\.(?:added|done)$/.test(String(type))
          ? [`${String(type).slice(21)} ${at}`]
          : [],
    );
  const [added0, done0, added1, done1] = ["added 0", "done 0", "added 1", "done 1"] as const;
  const text: DeltaEvent = { kind: "text", choice: 0, text: "So." };
  expect(
    orderOf(fragment(0, '{"a":', "f"), fragment(0, "1}"), fragment(1, "{}", "g"), fragment(0, "")),
  ).toEqual([added0, done0, added1, done1]);
  expect(orderOf(fragment(0, "{}", "f"), text)).toEqual([added0, done0, added1, done1]);
  expect(orderOf(fragment(0, "{", "f"), fragment(1, "{", "g"), fragment(0, "}"))).toEqual([
    added0,
    added1,
    done0,
    done1,
  ]);
});
