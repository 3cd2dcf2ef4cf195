import { expect, test } from "bun:test";
import { hidesReasoning } from "./parse-chat-request.ts";

test.each([
  { include_reasoning: false },
  { reasoning: { exclude: true } },
  { reasoning: { effort: "high", summary: "auto" } },
  { reasoning: false },
  { reasoning_format: "hidden" },
  { reasoning_format: "anything new" },
  { stream_reasoning: false },
  { thinking: { type: "enabled", display: "omitted" } },
])("%j may hide reasoning", (fields) => {
  expect(hidesReasoning({ model: "m", ...fields })).toBe(true);
});

test.each([
  {},
  { include_reasoning: true },
  { include_reasoning: null },
  { reasoning: { effort: "high", exclude: false } },
  { reasoning_effort: "high" },
  { reasoning_format: "parsed" },
  { stream_reasoning: true },
  { thinking: { type: "enabled", budget_tokens: 1_024 } },
])("%j shows all of it", (fields) => {
  expect(hidesReasoning({ model: "m", ...fields })).toBe(false);
});
