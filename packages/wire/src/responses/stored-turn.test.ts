// What is stored of a turn, and how it comes back as items of a later request.
import { expect, test } from "bun:test";
import { itemsOfTurn, newInput, readStoredTurn, writeStoredResponse } from "./stored-turn.ts";

const place = "0123456789abcdef0123456789abcdef";
const reasoning = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "sealed" };
const call = { id: "fc_1", type: "function_call", call_id: "c", name: "f", arguments: "{}" };
const message = { id: "msg_1", type: "message", status: "completed", role: "assistant" };

const replay = (input: Parameters<typeof writeStoredResponse>[0], output: readonly object[]) =>
  itemsOfTurn(readStoredTurn(writeStoredResponse(input, JSON.stringify({ output }))));

test("reasoning comes back with its id and what is encrypted of it, other items without their ids", () => {
  const { items } = replay([], [reasoning, { ...call, status: "completed" }, message]);
  expect(items.map((item) => JSON.parse(item))).toEqual([
    reasoning,
    { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    { type: "message", role: "assistant" },
  ]);
});

test("only what is new is stored, without triggers of a compaction and references", () => {
  const request = {
    input: [
      { role: "user", content: "old" },
      { role: "user", content: "new" },
      { type: "item_reference", id: "rs_gone" },
      { type: "compaction_trigger" },
    ],
  };
  expect(newInput(JSON.stringify(request), 3, place)).toEqual([
    { id: `msg_${place}i0000`, role: "user", content: "new", type: "message" },
  ]);
  expect(newInput(JSON.stringify(request), 0, place)).toEqual([]);
});

test("numbers keep all their digits", () => {
  const text = '{"input":[{"type":"custom_tool_call","n":12345678901234567890}]}';
  const { items } = replay(newInput(text, 1, place), []);
  expect(items[0]).toContain("12345678901234567890");
});

test("a compaction in the output stands for everything before it", () => {
  const compaction = { id: "cmp_1", type: "compaction", encrypted_content: "x" };
  const { items, isCompacted } = replay([call], [message, compaction]);
  expect(isCompacted).toBe(true);
  expect(items.map((item) => JSON.parse(item))).toEqual([
    { type: "compaction", encrypted_content: "x" },
  ]);
});
