// What an upstream of another language cannot be asked for is named by the caller's own path, parts of known fields first.
import { expect, test } from "bun:test";
import { parseMessagesRequest } from "./parse-messages-request.ts";

type Fields = Readonly<Record<string, unknown>>;

const user = (content: unknown) => ({ role: "user", content });
function parse(fields: Fields) {
  const body = { model: "m", max_tokens: 100, messages: [user("hi")], ...fields };
  return parseMessagesRequest(JSON.stringify(body), new Headers());
}

const file = { type: "file", file_id: "f" };
test.each<[Fields, string | undefined]>([
  [{}, undefined],
  [{ context_management: {}, diagnostics: {}, service_tier: "auto" }, undefined],
  [{ safeguards: [{ type: "dangerous_tool_use" }] }, undefined],
  [{ some_new_field: 1 }, "some_new_field"],
  [{ some_new_field: null }, undefined],
  [{ fallbacks: [{ model: "x" }] }, "fallbacks"],
  [{ fallback: "x" }, "fallback"],
  // Parts of known fields are named before fields that are not known.
  [{ some_new_field: 1, max_tokens: 0 }, "max_tokens"],
  [{ some_new_field: 1, tools: [{ type: "bash_20250124", name: "bash" }] }, "tools[0].type"],
  [{ max_tokens: 0 }, "max_tokens"],
  [{ tools: [{ type: "bash_20250124", name: "bash" }] }, "tools[0].type"],
  [{ messages: [user([{ type: "image", source: file }])] }, "messages[0].content[0].source.type"],
  [
    { messages: [user([{ type: "document", source: file }])] },
    "messages[0].content[0].source.type",
  ],
  [
    {
      messages: [
        user([
          { type: "document", source: { type: "text", data: "" }, citations: { enabled: true } },
        ]),
      ],
    },
    "messages[0].content[0].citations",
  ],
  [{ messages: [user([{ type: "container_upload" }])] }, "messages[0].content[0].type"],
  [{ thinking: { type: "between_tools" } }, "thinking.type"],
])("what cannot be translated is named: %j", (fields, param) => {
  expect(parse(fields).untranslatable[0]?.param).toBe(param);
});
