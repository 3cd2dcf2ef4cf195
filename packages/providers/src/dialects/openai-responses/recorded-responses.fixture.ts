// Responses as OpenAI's API streams them, for callers of another language.
import type { RecordedAnswer } from "../recorded-answer.fixture.ts";
import {
  callItem,
  type Fields,
  reasoningItem,
  reported,
  response,
  sample,
  saysBothCalls,
  textItem,
  upstreamId,
  usage,
} from "./recorded-items.fixture.ts";

/** Numbers the events and writes them as OpenAI does. */
function streamOf(events: readonly Fields[]): string {
  return events
    .map((event, sequence_number) => {
      const { type, ...rest } = event;
      return `event: ${String(type)}\ndata: ${JSON.stringify({ type, sequence_number, ...rest })}\n\n`;
    })
    .join("");
}

const begin: readonly Fields[] = ["created", "in_progress"].map((state) => ({
  type: `response.${state}`,
  response: response("in_progress", { output: [], usage: null }),
}));
const added = (output_index: number, item: Fields): Fields => ({
  type: "response.output_item.added",
  output_index,
  item: { ...item, status: "in_progress" },
});
const done = (output_index: number, item: Fields): Fields => ({
  type: "response.output_item.done",
  output_index,
  item: { ...item, status: "completed" },
});
const part = (output_index: number, what: string, more: Fields): Fields => ({
  type: `response.${what}`,
  item_id: `item_${output_index}`,
  output_index,
  content_index: 0,
  ...more,
});
const completed = (output: readonly Fields[], more: Fields = {}): Fields => ({
  type: "response.completed",
  response: response("completed", { output, usage: reported, ...more }),
});
const incomplete = (output: readonly Fields[], reason: string): Fields => ({
  type: "response.incomplete",
  response: response("incomplete", { output, usage: reported, incomplete_details: { reason } }),
});

const emptyText = { ...textItem(""), content: [] };
const say = (at: number, delta: string) => part(at, "output_text.delta", { delta, logprobs: [] });
const spell = (at: number, delta: string) => part(at, "function_call_arguments.delta", { delta });

const text = textItem("Grüße 😀!");

const streams: readonly Omit<RecordedAnswer, "call">[] = [
  {
    name: "text",
    body: streamOf([
      ...begin,
      added(0, emptyText),
      part(0, "content_part.added", { part: { type: "output_text", text: "" } }),
      say(0, "Grüße"),
      say(0, " 😀!"),
      part(0, "output_text.done", { text: "Grüße 😀!" }),
      part(0, "content_part.done", { part: { type: "output_text", text: "Grüße 😀!" } }),
      done(0, text),
      completed([text]),
    ]),
    says: { text: "Grüße 😀!", finishes: [["stop", "completed"]], usage },
  },
  {
    name: "reasoning, text and parallel calls",
    body: streamOf([
      ...begin,
      added(0, { ...reasoningItem, summary: [], encrypted_content: undefined }),
      part(0, "reasoning_summary_text.delta", { summary_index: 0, delta: "Let me " }),
      part(0, "reasoning_summary_text.delta", { summary_index: 0, delta: "see." }),
      part(0, "reasoning_summary_text.delta", { summary_index: 1, delta: "Yes." }),
      done(0, reasoningItem),
      added(1, emptyText),
      say(1, "Okay."),
      done(1, textItem("Okay.")),
      added(2, callItem("c1", "a", "")),
      added(3, callItem("c2", "b", "")),
      spell(2, '{"x":'),
      spell(3, "{"),
      spell(2, "1}"),
      spell(3, "}"),
      done(2, callItem("c1", "a", '{"x":1}')),
      done(3, callItem("c2", "b", "{}")),
      completed([reasoningItem, textItem("Okay."), callItem("c1", "a", '{"x":1}')]),
    ]),
    says: {
      reasoning: "Let me see.\n\nYes.",
      ...saysBothCalls,
    },
  },
  {
    name: "items without deltas",
    body: streamOf([
      ...begin,
      done(0, reasoningItem),
      done(1, textItem("All at once.")),
      done(2, callItem("c1", "a", '{"x":1}')),
      completed([]),
    ]),
    says: {
      reasoning: "Let me see.",
      signatures: ["openai:0:sealed"],
      text: "All at once.",
      calls: [{ id: "c1", name: "a", arguments: '{"x":1}' }],
      finishes: [["tool_calls", "completed"]],
      usage,
    },
  },
  {
    name: "a call that only the last event has, after others that have moved",
    body: streamOf([
      ...begin,
      added(1, emptyText),
      say(1, "Okay."),
      done(1, textItem("Okay.")),
      added(2, callItem("c1", "a", "")),
      spell(2, "{}"),
      completed([textItem("Okay."), callItem("c1", "a", "{}"), callItem("c2", "b", '{"x":1}')]),
    ]),
    says: {
      text: "Okay.",
      calls: [
        { id: "c1", name: "a", arguments: "{}" },
        { id: "c2", name: "b", arguments: '{"x":1}' },
      ],
      finishes: [["tool_calls", "completed"]],
      usage,
    },
  },
  {
    name: "calls without their positions",
    body: streamOf([
      ...begin,
      { ...added(0, callItem("c1", "a", "")), output_index: undefined },
      { ...added(0, callItem("c2", "b", "")), output_index: undefined },
      completed([]),
    ]),
    says: { fault: "bad_gateway" },
  },
  {
    name: "a call at the position of a message",
    body: streamOf([
      ...begin,
      added(0, emptyText),
      say(0, "Okay."),
      done(0, callItem("c1", "a", "{}")),
      completed([]),
    ]),
    says: { text: "Okay.", fault: "bad_gateway" },
  },
  {
    name: "a custom tool",
    body: streamOf([
      ...begin,
      added(0, { id: "ctc_1", type: "custom_tool_call", call_id: "c1", name: "patch", input: "" }),
      part(0, "custom_tool_call_input.delta", { delta: "*** Begin" }),
      part(0, "custom_tool_call_input.delta", { delta: " Patch" }),
      done(0, { type: "custom_tool_call", call_id: "c1", name: "patch", input: "*** Begin Patch" }),
      completed([]),
    ]),
    says: {
      calls: [{ id: "c1", name: "patch", arguments: "*** Begin Patch", isCustom: true }],
      finishes: [["tool_calls", "completed"]],
      usage,
    },
  },
  {
    name: "a refusal",
    body: streamOf([
      ...begin,
      added(0, emptyText),
      part(0, "refusal.delta", { delta: "I cannot." }),
      done(0, { ...emptyText, content: [{ type: "refusal", refusal: "I cannot." }] }),
      completed([]),
    ]),
    says: { finishes: [["stop", "completed"]], usage },
  },
  {
    name: "a limit that was reached",
    body: streamOf([
      ...begin,
      added(0, emptyText),
      say(0, "Once"),
      incomplete([textItem("Once")], "max_output_tokens"),
    ]),
    says: { text: "Once", finishes: [["length", "max_output_tokens"]], usage },
  },
  {
    name: "a filtered answer",
    body: streamOf([...begin, incomplete([], "content_filter")]),
    says: { finishes: [["content_filter", "content_filter"]], usage },
  },
  {
    name: "a failure after the first token",
    body: streamOf([
      ...begin,
      added(0, emptyText),
      say(0, "a"),
      {
        type: "response.failed",
        response: response("failed", { error: { code: "rate_limit_exceeded", message: "Slow." } }),
      },
    ]),
    says: { text: "a", fault: "bad_gateway" },
  },
  {
    name: "an error event before the first token",
    body: streamOf([
      ...begin,
      { type: "error", code: "rate_limit_exceeded", message: "Slow.", param: null },
    ]),
    says: { fault: "upstream_rate_limited", retryAfterMs: 1_000 },
  },
  {
    name: "an end before its last event",
    body: streamOf([...begin, added(0, emptyText), say(0, "a")]),
    says: { text: "a", fault: "bad_gateway" },
  },
];

export const responsesStreams: readonly RecordedAnswer[] = streams.map((recorded) => ({
  ...recorded,
  name: `responses: ${recorded.name}`,
  call: sample(true),
  says: { upstreamId, ...recorded.says },
}));
