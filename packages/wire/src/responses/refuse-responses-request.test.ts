// What a request for a response cannot have: each is refused by its path, with OpenAI's code
// for it.
import { expect, test } from "bun:test";
import { Fault, type JsonObject } from "@turnpike/base";
import { parseResponsesRequest } from "./parse-responses-request.ts";

function refusal(fields: JsonObject): { code: string; param: string | undefined; message: string } {
  try {
    const body = JSON.stringify({ model: "test/model", input: "hi", ...fields });
    parseResponsesRequest(body, new Headers());
  } catch (thrown) {
    if (thrown instanceof Fault) {
      const { code, message, details } = thrown;
      return { code, message, param: details.param };
    }
    throw thrown;
  }
  throw new Error(`not refused: ${JSON.stringify(fields)}`);
}

test("members of `reasoning` that only OpenAI's own endpoint supports are named", () => {
  const untranslatable = (reasoning: JsonObject) => {
    const body = JSON.stringify({ model: "test/model", input: "hi", reasoning });
    return parseResponsesRequest(body, new Headers()).untranslatable.map(({ param }) => param);
  };
  const known = { effort: "low", summary: "auto", generate_summary: "auto", context: "auto" };
  expect(untranslatable({ ...known, mode: null })).toEqual([]);
  expect(untranslatable({ ...known, mode: "pro" })).toEqual(["reasoning.mode"]);
});

const call = { type: "function_call", call_id: "a", name: "f", arguments: "{}" };
const output = { type: "function_call_output", call_id: "a", output: "ok" };
const tools = [{ type: "function", name: "f" }];

test.each<[JsonObject, string]>([
  [{ previous_response_id: "resp_1" }, "previous_response_id"],
  [{ conversation: "conv_1" }, "conversation"],
  [{ conversation: { id: "conv_1" } }, "conversation"],
  [{ background: true }, "background"],
  [{ prompt: { id: "p" } }, "prompt"],
  [{ context_management: [{ type: "compaction" }] }, "context_management"],
  [{ moderation: { model: "m" } }, "moderation"],
  [{ messages: [] }, "messages"],
  [{ max_tokens: 5 }, "max_tokens"],
  [{ response_format: { type: "text" } }, "response_format"],
  [{ reasoning_effort: "low" }, "reasoning_effort"],
  [{ n: 2 }, "n"],
  [{ input: [{ type: "web_search_call", id: "ws_1" }] }, "input[0].type"],
  [
    { input: [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }] },
    "input[0].content[0].file_id",
  ],
  [
    { input: [{ role: "user", content: [{ type: "input_file", file_id: "file-1" }] }] },
    "input[0].content[0].file_id",
  ],
  [{ tool_choice: { type: "file_search" } }, "tool_choice.type"],
  ...[
    "web_search",
    "web_search_preview",
    "file_search",
    "computer_use_preview",
    "mcp",
    "code_interpreter",
    "local_shell",
    "shell",
    "apply_patch",
    "computer",
    "tool_search",
    "programmatic_tool_calling",
  ].map((type): [JsonObject, string] => [{ tools: [{ type }] }, "tools[0].type"]),
])("%j is refused by name", (fields, param) => {
  const refused = refusal(fields);
  expect([refused.code, refused.param]).toEqual(["unsupported_parameter", param]);
  expect(refused.message).toContain(`'${param}'`);
});

test.each<[JsonObject, string, string]>([
  [{ model: undefined }, "missing_required_parameter", "model"],
  [{ input: undefined }, "missing_required_parameter", "input"],
  [{ input: [] }, "empty_array", "input"],
  [{ input: 5 }, "invalid_type", "input"],
  [{ input: [{ type: "item_reference", id: "msg_1" }] }, "not_found", "input"],
  [{ input: [{ id: "msg_1" }] }, "not_found", "input"],
  [{ input: [{ type: "item_reference", id: "rs_1" }] }, "invalid_value", "input"],
  [{ input: [{ type: "item_reference" }] }, "missing_required_parameter", "input[0].id"],
  [{ input: [{ type: "item_reference", id: 1 }] }, "invalid_type", "input[0].id"],
  [{ input: [{ content: "x" }] }, "missing_required_parameter", "input[0].type"],
  [{ input: [{ type: "poem" }] }, "invalid_value", "input[0].type"],
  [
    { input: [{ type: "compaction", encrypted_content: "x" }] },
    "invalid_value",
    "input[0].encrypted_content",
  ],
  [{ input: [{ role: "tool", content: "x" }] }, "invalid_value", "input[0].role"],
  [{ input: [{ role: "user" }] }, "missing_required_parameter", "input[0].content"],
  [
    { input: [{ role: "system", content: [{ type: "input_image", image_url: "x" }] }] },
    "invalid_value",
    "input[0].content[0].type",
  ],
  [
    { input: [{ role: "user", content: [{ type: "input_text" }] }] },
    "missing_required_parameter",
    "input[0].content[0].text",
  ],
  [{ input: [{ ...call, name: undefined }] }, "missing_required_parameter", "input[0].name"],
  [
    {
      input: [
        {
          role: "user",
          content: [{ type: "input_audio", input_audio: { data: "AA==", format: "ogg" } }],
        },
      ],
    },
    "invalid_value",
    "input[0].content[0].input_audio.format",
  ],
  ...["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"].map(
    (type): [JsonObject, string, string] => [
      { input: [{ type, name: "f", arguments: "{}", input: "", output: "" }] },
      "missing_required_parameter",
      "input[0].call_id",
    ],
  ),
  ...["tool_search_call", "tool_search_output"].map((type): [JsonObject, string, string] => [
    { input: [{ type, tools: [] }] },
    "missing_required_parameter",
    "input[0].call_id",
  ]),
  [{ input: [call] }, "malformed_request", "input"],
  [{ input: [output] }, "malformed_request", "input[0].call_id"],
  [{ max_output_tokens: 0 }, "integer_below_min_value", "max_output_tokens"],
  [{ temperature: 3 }, "decimal_above_max_value", "temperature"],
  [{ include: ["everything"] }, "invalid_value", "include[0]"],
  [{ truncation: "some" }, "invalid_value", "truncation"],
  [{ text: { format: { type: "xml" } } }, "invalid_value", "text.format.type"],
  [{ tools: [{ type: "poem" }] }, "invalid_value", "tools[0].type"],
  [{ tools: [{ type: 5 }] }, "invalid_type", "tools[0].type"],
  [{ tools: [{ type: "function" }] }, "missing_required_parameter", "tools[0].name"],
  [{ tools: [{ type: "function", name: "a b" }] }, "invalid_value", "tools[0].name"],
  [{ tool_choice: "required" }, "invalid_value", "tool_choice"],
  [{ tools, tool_choice: { type: "function", name: "x" } }, "invalid_value", "tool_choice.name"],
  [{ stream_options: { include_obfuscation: false } }, "malformed_request", "stream_options"],
  [{ Max_Output_Tokens: 5 }, "unknown_parameter", "Max_Output_Tokens"],
  [{ safety_identifier: "x".repeat(129) }, "string_above_max_length", "safety_identifier"],
])("%j is invalid", (fields, code, param) => {
  expect(refusal(fields)).toMatchObject({ code, param });
});
