// What a chat completions request asks for that Anthropic's API cannot express.
import { describe, expect, test } from "bun:test";
import { whyUntranslatable } from "../../why-untranslatable.ts";
import { chatCall } from "./sample-messages-call.fixture.ts";

describe("what Anthropic cannot express is refused by name", () => {
  const user = (part: object) => ({ messages: [{ role: "user", content: [part] }] });
  const image = (url: string) => user({ type: "image_url", image_url: { url } });
  const imagePath = "messages[0].content[0].image_url";
  const file = (data: string) => user({ type: "file", file: { file_data: data } });
  const f = { type: "function", function: { name: "f" } };
  const allowed = (name: string) => ({
    type: "allowed_tools",
    allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name } }] },
  });
  const called = (spelled: string) => ({
    messages: [
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "t", type: "function", function: { name: "f", arguments: spelled } }],
      },
      { role: "tool", tool_call_id: "t", content: "x" },
    ],
  });
  test.each<[object, string | undefined]>([
    [{}, undefined],
    [{ n: 1, seed: 5, store: true, frequency_penalty: 0, logit_bias: {} }, undefined],
    [{ n: 2 }, "n"],
    [{ frequency_penalty: 0.5, min_p: 0.1, thinking: { type: "adaptive" } }, undefined],
    [{ logprobs: true }, "logprobs"],
    [{ logit_bias: { "1": 1 } }, "logit_bias"],
    [{ response_format: { type: "json_object" } }, undefined],
    [{ tools: [f], tool_choice: allowed("f") }, undefined],
    [{ tools: [f], tool_choice: allowed("g") }, "tool_choice"],
    [{ suffix: "x" }, "suffix"],
    [{ stop: ["a", "\n\n"] }, undefined],
    [{ some_new_field: 1 }, "some_new_field"],
    [
      user({ type: "input_audio", input_audio: { data: "", format: "mp3" } }),
      "messages[0].content[0].type",
    ],
    [user({ type: "file", file: { file_id: "f" } }), "messages[0].content[0].file.file_id"],
    [image("data:image/jpg;base64,AA=="), undefined],
    [image("https://example.com/a.heic"), undefined],
    [image("data:image/heic;base64,AA=="), imagePath],
    [image("data:image/svg+xml;utf8,<svg/>"), imagePath],
    [user({ type: "image_url", image_url: "data:image/tiff;base64,AA==" }), imagePath],
    [file("data:application/pdf;base64,JV"), undefined],
    [file("data:text/csv;base64,YQ=="), undefined],
    [file("JVBERi0="), undefined],
    [file("data:image/png;base64,AA=="), "messages[0].content[0].file"],
    [file("data:text/plain,hello"), "messages[0].content[0].file"],
    [called("{}"), undefined],
    [called(""), undefined],
    [called("{oops"), "messages[1].tool_calls[0].function.arguments"],
  ])("%j", (fields, param) => {
    const { provider, request } = chatCall(fields);
    expect(whyUntranslatable({ provider, upstreamModel: "model-1" }, request)?.details.param).toBe(
      param,
    );
  });
});
