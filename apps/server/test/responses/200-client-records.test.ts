// What programs write into requests for their own records is accepted in every protocol, and reaches no provider: one
// that refuses names it does not know would refuse the call.
import { afterEach, describe, expect, test } from "bun:test";
import {
  answerWith,
  at,
  expectCleanBooks,
  type JsonObject,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";

const provider = (id: string, more: string) => (baseUrl: string) =>
  `  - { id: ${id}, baseUrl: "${baseUrl}", apiKey: any, unknownFields: refused, ${more} }`;
const providers = {
  native: provider("native", "quirks: { responses: native }"),
  translated: provider("translated", "quirks: { responses: none }"),
  claude: provider("claude", "kind: anthropic"),
};
const names = Object.keys(providers);

const { server, account } = await useServer(
  startTestServer({
    catalog: (baseUrl) => `
providers:
${Object.values(providers)
  .map((write) => write(baseUrl))
  .join("\n")}
models:${names
      .map(
        (id) => `
  - id: strict/${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, vision, json_schema, reasoning]
    routes: [{ provider: ${id}, model: upstream-model }]
    prices: { input: "1", output: "2" }`,
      )
      .join("")}
`,
  }),
);
afterEach(() => expectCleanBooks(server));

async function send(path: string, body: JsonObject): Promise<JsonObject> {
  answerWith(server, { text: "Yes." });
  const headers = { authorization: `Bearer ${account.key}`, "content-type": "application/json" };
  const answer = await fetch(`${server.baseUrl}/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const said = await readJson(answer);
  expect([answer.status, said.error ?? null]).toEqual([200, null]);
  return said;
}
const lastBody = () => server.upstream.requests.at(-1)?.body ?? "";

const passthrough = {
  internal_chat_message_metadata_passthrough: {
    turn_id: "secret-turn",
    content_item_kinds: ["user.text"],
  },
};
const fromCodex = {
  client_metadata: { "x-codex-installation-id": "secret-installation" },
  input: [
    {
      type: "additional_tools",
      role: "developer",
      id: "at_1",
      tools: [
        {
          type: "namespace",
          name: "collaboration",
          description: "Agents.",
          tools: [
            {
              type: "function",
              name: "spawn_agent",
              strict: false,
              parameters: {
                type: "object",
                properties: { message: { type: "string", encrypted: true } },
              },
            },
          ],
        },
      ],
    },
    {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "hi", internal_kind: "secret" }],
      ...passthrough,
      end_turn: true,
      timestamp: "secret-time",
      createdAt: 1,
    },
    {
      type: "function_call",
      call_id: "call_1",
      name: "spawn_agent",
      namespace: "collaboration",
      arguments: '{"message":"look"}',
      encrypted_function_args: [],
      ...passthrough,
    },
    { type: "function_call_output", call_id: "call_1", output: "done", ...passthrough },
    {
      type: "agent_message",
      author: "/root/worker",
      recipient: "/root",
      content: [{ type: "encrypted_content", encrypted_content: "I have looked." }],
      ...passthrough,
    },
  ],
};

describe.each(names)("over %s", (id) => {
  const model = `strict/${id}`;

  test("Codex's fields of items, parts and calls, its metadata and its agents' messages", async () => {
    expect((await send("responses", { model, ...fromCodex })).status).toBe("completed");
    expect(lastBody()).not.toMatch(/secret|internal_|"encrypted"|encrypted_function|agent_message/);
    expect(lastBody()).toContain("I have looked.");
    expect(lastBody()).toContain("/root/worker");
  });

  test("Roo's, Kilo's, Cline's and the AI SDK's fields of chat messages", async () => {
    const messages = [
      { role: "user", content: "hi", ts: 1, condenseId: "c", isSummary: false },
      {
        role: "assistant",
        content: [{ type: "text", text: "Look.", providerMetadata: { a: { itemId: "secret" } } }],
        modelInfo: { modelId: "secret" },
        metrics: { tokens: 3 },
        tool_calls: [
          {
            id: "call_1",
            type: "function",
            function: { name: "run", arguments: '{"ts":1}' },
            providerOptions: { secret: true },
          },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "done", truncationParent: "secret" },
    ];
    const tools = [
      {
        type: "function",
        function: {
          name: "run",
          parameters: { type: "object", properties: { ts: { type: "number" } } },
        },
      },
    ];
    const said = await send("chat/completions", { model, messages, tools });
    expect(at(said, "choices.0.message.content")).toBe("Yes.");
    expect(lastBody()).not.toMatch(/secret|condense|modelInfo|metrics/);
    // The caller's own data has the same name.
    expect(lastBody()).toContain('"ts"');
  });

  test("the same fields of Anthropic's messages", async () => {
    const messages = [
      { role: "user", content: [{ type: "text", text: "hi" }], ts: 1 },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "toolu_1", name: "run", input: { ts: 1, metrics: 2 } }],
        modelInfo: { modelId: "secret" },
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "done" }],
        isTruncationMarker: false,
      },
    ];
    const tools = [{ name: "run", input_schema: { type: "object" } }];
    await send("messages", { model, max_tokens: 50, messages, tools });
    expect(lastBody()).not.toMatch(/secret|modelInfo|isTruncationMarker/);
    expect(lastBody()).toMatch(/metrics/);
  });
});
