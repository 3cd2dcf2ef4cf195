// What is refused behind the translation names the field as the caller of the responses API wrote it.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { nameForCaller } from "../caller/name-for-caller.ts";
import { parseResponsesRequest } from "./parse-responses-request.ts";
import { responsesProtocol } from "./responses-protocol.ts";

const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" };
const body = {
  model: "m",
  instructions: "Be brief.",
  input: [
    { role: "user", content: [{ type: "input_text", text: "a" }, image] },
    { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
    { role: "assistant", content: [{ type: "output_text", text: "b" }] },
    { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    { role: "user", content: "Wait." },
    { type: "function_call_output", call_id: "c", output: [image] },
  ],
  tools: [
    { type: "namespace", name: "n", tools: [{ type: "function", name: "g" }] },
    { type: "function", name: "f", parameters: { type: "object" } },
    { type: "custom", name: "patch" },
  ],
  include: ["message.output_text.logprobs"],
};
const request = parseResponsesRequest(JSON.stringify(body), new Headers());
const refused = (param: string) => new Fault("unsupported_parameter", `Bad '${param}'.`, { param });

describe("a refusal of the translation names the caller's own field, in the message as well", () => {
  test.each([
    ["messages[0].content", "instructions"],
    ["messages[1].content[1].image_url.url", "input[0].content[1]"],
    ["messages.[1].content.[1].image_url", "input[0].content[1]"],
    ["messages[2].content", "input[2]"],
    ["messages[2].tool_calls[0].function.arguments", "input[3]"],
    ["messages[3].content[0].image_url", "input[5].output[0]"],
    ["messages[3].tool_call_id", "input[5]"],
    ["messages[4].role", "input[4]"],
    ["messages", "input"],
    ["messages[9].content", "input"],
    ["max_tokens", "max_output_tokens"],
    ["max_completion_tokens", "max_output_tokens"],
    ["response_format", "text.format"],
    ["response_format.json_schema.schema", "text.format.schema"],
    ["reasoning_effort", "reasoning.effort"],
    ["verbosity", "text.verbosity"],
    ["logprobs", "include"],
    ["tool_choice.function.name", "tool_choice.name"],
    ["tools[0].function.name", "tools[0].tools[0].name"],
    ["tools[1].function.parameters.type", "tools[1].parameters.type"],
    ["tools[2].custom.format.grammar.definition", "tools[2].format.definition"],
    ["temperature", "temperature"],
  ])("%s is %s", (param, own) => {
    const fault = nameForCaller(refused(param), request);
    expect(fault.details.param).toBe(own);
    expect(fault.message).toBe(`Bad '${own}'.`);
  });
});

test.each(["input[3].call_id", "tools[1].name", "tools[0]", "tool_choice", "reasoning.mode"])(
  "the name %s of an upstream of the same language stays",
  (param) => {
    expect(nameForCaller(refused(param), request).details.param).toBe(param);
  },
);

test("a failure inside a stream names it too", () => {
  const identity = { id: `resp_${"0".repeat(32)}`, model: "m", created: 1 };
  const writer = responsesProtocol.stream?.open(request, identity);
  const frames = writer?.writeFault(refused("messages[2].tool_calls[0].id"), "req_1");
  expect(frames).toContain(`"message":"Bad 'input[3]'."`);
});
