// Which parts of a message and of a tool Anthropic's clients must give, and what is refused with a hint.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { parseMessagesRequest } from "./parse-messages-request.ts";

const ask = { role: "user", content: "hi" };
const call = { type: "tool_use", id: "t1", name: "f", input: {} };
const answer = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1" }] };
const after = (block: object) => [ask, { role: "assistant", content: [block] }, answer];

/** The code, the field, and what is said about it. */
function refusal(fields: object): [string, string | undefined, string] {
  try {
    const body = { model: "m", max_tokens: 100, messages: [ask], ...fields };
    parseMessagesRequest(JSON.stringify(body), new Headers());
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return [thrown.code, thrown.details.param, thrown.message];
  }
  throw new Error("accepted");
}

test.each([
  [{ tools: [{ name: "a b", input_schema: {} }] }, "invalid_value", "tools[0].name"],
  [
    { messages: after({ ...call, name: "" }) },
    "string_below_min_length",
    "messages[1].content[0].name",
  ],
  [
    { messages: after({ ...call, id: undefined }) },
    "missing_required_parameter",
    "messages[1].content[0].id",
  ],
  [{ messages: after({ ...call, input: "{}" }) }, "invalid_type", "messages[1].content[0].input"],
  ...["title", "context", "citations"].map((member): [object, string, string] => {
    const source = { type: "text", media_type: "text/plain", data: "a" };
    const content = [{ type: "document", source, [member]: 3 }];
    const messages = [{ role: "user", content }];
    return [{ messages }, "invalid_type", `messages[0].content[0].${member}`];
  }),
])("%j is invalid", (fields, code, param) => {
  expect(refusal(fields).slice(0, 2)).toEqual([code, param]);
});

test.each([
  [{ reasoning: { effort: "low" } }, "reasoning", "'output_config.effort'"],
  [{ reasoning_effort: "low" }, "reasoning_effort", "'output_config.effort'"],
  [{ include_reasoning: true }, "include_reasoning", "'thinking.display'"],
])("%j is refused with the name of Anthropic's own field", (fields, param, hint) => {
  const [code, name, message] = refusal(fields);
  expect([code, name]).toEqual(["unsupported_parameter", param]);
  expect(message).toContain(hint);
});
