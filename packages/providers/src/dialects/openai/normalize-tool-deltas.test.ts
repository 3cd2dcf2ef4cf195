// Which call a fragment belongs to, and where a runaway list of calls is cut.
import { expect, test } from "bun:test";
import { isObject, type JsonObject } from "@turnpike/base";
import { newToolsMemory, normalizeToolDeltas } from "./normalize-tool-deltas.ts";

const opening = (index: number, id = `call_${index}`) => ({
  index,
  id,
  type: "function",
  function: { name: `f${index}`, arguments: "" },
});

function indexesOf(entries: readonly JsonObject[]): readonly unknown[] {
  return entries.map(({ index }) => index);
}

test("the 128th call is passed on, the 129th is dropped and does not join another", () => {
  const memory = newToolsMemory();
  const all = Array.from({ length: 129 }, (_, index) => opening(index));
  const entries = normalizeToolDeltas(all, memory);
  expect(entries).toHaveLength(128);
  expect(indexesOf(entries).at(-1)).toBe(127);
  const known = normalizeToolDeltas([{ index: 127, function: { arguments: "{}" } }], memory);
  expect(known).toEqual([{ index: 127, function: { arguments: "{}" } }]);
  expect(normalizeToolDeltas([opening(500)], memory)).toEqual([]);
});

test("a fragment without an index finds its call by id, and without an id the current call", () => {
  const memory = newToolsMemory();
  normalizeToolDeltas([opening(0, "a"), opening(1, "b")], memory);
  const byId = normalizeToolDeltas([{ id: "a", function: { arguments: "1" } }], memory);
  expect(indexesOf(byId)).toEqual([0]);
  const underWay = normalizeToolDeltas([{ function: { arguments: "2" } }], memory);
  expect(indexesOf(underWay)).toEqual([1]);
  const named = normalizeToolDeltas([{ function: { name: "g", arguments: "" } }], memory);
  expect(indexesOf(named)).toEqual([2]);
  const other = normalizeToolDeltas([{ id: "c", function: { arguments: "" } }], memory);
  expect(indexesOf(other)).toEqual([3]);
});

test("the first fragment opens a call even if it names nothing, with our own id", () => {
  const entries = normalizeToolDeltas([{ function: { arguments: "{" } }], newToolsMemory());
  expect(indexesOf(entries)).toEqual([0]);
  const [first] = entries;
  expect(isObject(first) && first.id).toMatch(/^call_/);
});

test("a fragment with nothing new is not passed on, one with an unknown member is", () => {
  const memory = newToolsMemory();
  normalizeToolDeltas([opening(0)], memory);
  expect(normalizeToolDeltas([{ index: 0, function: { arguments: "" } }], memory)).toEqual([]);
  expect(normalizeToolDeltas([{ index: 0, extra: { a: 1 } }], memory)).toMatchObject([
    { index: 0, extra: { a: 1 } },
  ]);
  expect(normalizeToolDeltas([null, 7, "x"], memory)).toEqual([]);
  expect(normalizeToolDeltas("calls", memory)).toEqual([]);
});
