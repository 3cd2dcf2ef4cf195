// What is kept of an answer: its items as a later request would send them, unless it says that they are not kept.
import { expect, test } from "bun:test";
import { sseEvent } from "../protocol/sse.ts";
import { parseKeptItems, withoutKeptItems } from "./kept-items.ts";

const content = [{ type: "output_text", text: "Hi\ndata: {}", annotations: [] }];
const message = { id: "msg_1", type: "message", status: "completed", role: "assistant", content };
const reasoning = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "sealed" };
const call = { id: "fc_1", type: "function_call", call_id: "c", name: "f", arguments: "{}" };
const response = { id: "resp_1", items_kept: true, output: [reasoning, message, call] };

const end = sseEvent("response.completed", JSON.stringify({ type: "t", response }));
const answers: [string, string][] = [
  ["a whole answer", JSON.stringify(response)],
  ["the end of a stream", end],
  ["a whole stream", sseEvent("response.created", '{"response":{"items_kept":true}}') + end],
];

test.each(answers)("of %s", (_, answer) => {
  const { id: _message, status: _status, ...said } = message;
  const { id: _call, ...called } = call;
  expect(Object.fromEntries(parseKeptItems(answer))).toEqual({
    rs_1: JSON.stringify(reasoning),
    msg_1: JSON.stringify(said),
    fc_1: JSON.stringify(called),
  });
});

test.each(answers)(
  "of %s whose items could not be stored, all but `items_kept` stays",
  (_, answer) => {
    const edited = withoutKeptItems(answer);
    expect(parseKeptItems(edited).size).toBe(0);
    expect(edited.replace(/(.*)"items_kept":false/s, '$1"items_kept":true')).toBe(answer);
  },
);

test("nothing of an answer that says so", () => {
  expect(parseKeptItems(JSON.stringify({ ...response, items_kept: false })).size).toBe(0);
});

test("none of several items with one id, as one would stand for another", () => {
  const output = [message, call, { ...message, content: [] }];
  expect([...parseKeptItems(JSON.stringify({ ...response, output })).keys()]).toEqual(["fc_1"]);
});

test("numbers keep their digits", () => {
  const searched =
    '{"id":"tsc_1","type":"tool_search_call","arguments":{"n":12345678901234567890}}';
  const kept = parseKeptItems(`{"items_kept":true,"output":[${searched}]}`).get("tsc_1");
  expect(kept).toContain("12345678901234567890");
});
