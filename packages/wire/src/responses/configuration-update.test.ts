// Updates of settings within a conversation: what is in force at its end is what the request asks for.
import { expect, test } from "bun:test";
import type { JsonObject } from "@turnpike/base";
import { findUnlistedMember } from "../checks/find-unlisted-member.ts";
import { responsesLanguage } from "../protocol/languages.ts";
import { parseResponsesRequest } from "./parse-responses-request.ts";

const model = "test/model";

const parse = (fields: JsonObject) =>
  parseResponsesRequest(JSON.stringify({ model, input: "hi", ...fields }), new Headers());

test("the last update of a setting within the conversation applies, and is no message", () => {
  const format = { type: "json_schema", name: "n", schema: { type: "object" } };
  const update = (fields: JsonObject) => ({ type: "configuration_update", ...fields });
  const request = parse({
    reasoning: { effort: "low", summary: "auto" },
    input: [
      update({ reasoning: { effort: "medium" }, text: { format } }),
      { role: "user", content: "hi" },
      update({ id: "cu_1", reasoning: { effort: "high" } }),
    ],
  });
  expect(request.parsed).toEqual({
    model,
    reasoning_effort: "high",
    response_format: { type: "json_schema", json_schema: { name: "n", schema: format.schema } },
    messages: [{ role: "user", content: "hi" }],
  });
  expect(request.asked.reasoning).toEqual({ effort: "high", summary: "auto" });
  expect(request.changedFields).toEqual(["reasoning", "text"]);
  // Also on the way to an account of the operator.
  expect(findUnlistedMember(request.asked, responsesLanguage)).toBeUndefined();
  expect(parse({}).changedFields).toEqual([]);
});

test("an update of a setting resets it with null, and does not ask anything by itself", () => {
  const update = { type: "configuration_update", reasoning: { effort: null } };
  const input = [{ role: "user", content: "hi" }, update];
  expect(parse({ reasoning: { effort: "low" }, input }).parsed).not.toHaveProperty(
    "reasoning_effort",
  );
  expect(() => parse({ input: [update] })).toThrow("nothing to answer");
  expect(() => parse({ input: [{ ...update, reasoning: { effort: 3 } }] })).toThrow(
    "input[0].reasoning.effort",
  );
});
