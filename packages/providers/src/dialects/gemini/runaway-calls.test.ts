// Where a runaway list of calls is cut, so that its number stays one that clients accept.
import { expect, test } from "bun:test";
import { parseWhole } from "./parse-whole.ts";
import { call, candidate, geminiCall, response } from "./sample-response.fixture.ts";

test("the 128th call of an answer is passed on, the 129th is dropped", () => {
  const parts = Array.from({ length: 129 }, (_, n) => call(`City ${n}`));
  const text = JSON.stringify(response([candidate([...parts, { text: "Done." }], "STOP")]));
  const { content } = parseWhole(geminiCall(), text, new Headers());
  if (content.kind !== "deltas") throw new Error("Gemini's answers are translated");
  const calls = content.deltas.filter(({ kind }) => kind === "tool_call");
  expect(calls).toHaveLength(128);
  expect(calls.at(-1)).toMatchObject({ index: 127, arguments: '{"city":"City 127"}' });
  expect(content.deltas).toContainEqual({ kind: "text", choice: 0, text: "Done." });
});
