// Refusals after translation name the field as the caller of the messages API wrote it.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { nameForCaller } from "../caller/name-for-caller.ts";
import { anthropicErrors } from "./anthropic-errors.ts";
import { parseMessagesRequest } from "./parse-messages-request.ts";

const image = { type: "image", source: { type: "url", url: "x" } };
const call = { type: "tool_use", id: "a", name: "f", input: {} };
const body = {
  model: "m",
  max_tokens: 9,
  system: "s",
  tools: [{ name: "f", input_schema: {} }],
  output_config: { format: { type: "json_schema", schema: {} } },
  messages: [
    { role: "user", content: [{ type: "text", text: "a" }, image] },
    { role: "assistant", content: [{ type: "text", text: "b" }] },
    { role: "assistant", content: [{ type: "text", text: "c" }, call] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [image] }] },
  ],
};
const request = parseMessagesRequest(JSON.stringify(body), new Headers());
const withParam = (param: string, message = `Bad '${param}'.`) =>
  nameForCaller(new Fault("unsupported_parameter", message, { param }), request);

describe("a refusal after translation names the caller's own field, also in its message", () => {
  test.each([
    ["messages[0].content", "system"],
    ["messages[1].content[1].image_url", "messages[0].content[1]"],
    ["messages.[1].content.[1].image_url", "messages[0].content[1]"],
    ["messages.1.content.1.image_url.url", "messages[0].content[1]"],
    ["messages[2].content[1].text", "messages[2].content[0]"],
    ["messages[2].tool_calls[0].function.arguments", "messages[2].content[1]"],
    ["messages[3].content[0].image_url", "messages[3].content[0].content[0]"],
    ["messages[3].tool_call_id", "messages[3].content[0]"],
    ["messages", "messages"],
    ["messages[9].content", "messages[9].content"],
    ["parallel_tool_calls", "tool_choice.disable_parallel_tool_use"],
    ["reasoning_effort", "output_config.effort"],
    ["reasoning.max_tokens", "thinking.budget_tokens"],
    ["stop", "stop_sequences"],
    ["stop[0]", "stop_sequences[0]"],
    ["user", "metadata.user_id"],
    ["response_format", "output_config.format"],
    ["response_format.json_schema.schema", "output_config.format.schema"],
    ["tools[0].function.parameters.type", "tools[0].input_schema.type"],
    ["tools[0].function.name", "tools[0].name"],
    ["tool_choice.function.name", "tool_choice.name"],
    ["temperature", "temperature"],
  ])("%s is %s", (param, own) => {
    const fault = withParam(param);
    expect(fault.details.param).toBe(own);
    expect(fault.message).toBe(`Bad '${own}'.`);
  });
});

test("a word that is also a field name is renamed only where it is quoted", () => {
  expect(withParam("stop", "'stop' must stop early").message).toBe(
    "'stop_sequences' must stop early",
  );
});

test("the message for an Anthropic client has the path with dots", () => {
  const { error } = anthropicErrors.answer(withParam("messages[1].content[1].image_url"), "r").body;
  expect((error as { message: string }).message).toBe("Bad 'messages.0.content.1'.");
});

test("a path that is already the caller's own stays unchanged", () => {
  expect(withParam(request.firstImage ?? "").details.param).toBe("messages[0].content[1]");
});

test("a fault without a field, and one of a request that was not translated, stay the same", () => {
  const plain = new Fault("bad_gateway", "Broken.");
  expect(nameForCaller(plain, request)).toBe(plain);
  const { callerParam: _, ...untranslated } = request;
  const named = new Fault("invalid_value", "Bad 'stop'.", { param: "stop" });
  expect(nameForCaller(named, untranslated)).toBe(named);
});
