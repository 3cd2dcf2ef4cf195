import { expect, test } from "bun:test";
import { hasOtherRouting, replayRequest } from "./replay-request.ts";

const detail = {
  id: "gen-1",
  model: "test/one",
  promptTokens: 9,
  completionTokens: 3,
  costUsd: "0.000004",
  finishReason: "stop",
};
const weather = { name: "weather", description: "Now", parameters: { type: "object" } };

/** What a conversation says, without ids. */
function said(request: unknown, answer: unknown = null) {
  const { system, parameters, threads } = replayRequest(detail, { request, answer });
  const messages = threads[0]?.messages.map(({ role, text, toolCalls, attachments, run }) => ({
    role,
    text,
    ...(toolCalls.length > 0 && { calls: toolCalls }),
    ...(attachments.length > 0 && { attached: attachments.map(({ name }) => name) }),
    ...(run && { answered: run.generationId }),
  }));
  return { system, parameters, messages };
}

test("a request whose prompt is not stored is its model only", () => {
  const { system, threads, parameters } = replayRequest(detail, undefined);
  expect(threads.map(({ model, messages }) => [model, messages])).toEqual([["test/one", []]]);
  expect([system, parameters.temperature]).toEqual(["", ""]);
});

test("a chat completion: system, parts, tools and their results, parameters, and the answer with its log", () => {
  const call = { id: "c1", type: "function", function: { name: "weather", arguments: "{}" } };
  const { system, parameters, messages } = said(
    {
      model: "test/one",
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Rain?" },
            { type: "image_url", image_url: { url: "[image/png, about 9 bytes, not stored]" } },
          ],
        },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "sunny" },
      ],
      reasoning_effort: "high",
      provider: { only: ["cloud"] },
      temperature: 0,
      max_completion_tokens: 50,
      top_p: 0.5,
      stop: ["END", "STOP"],
      response_format: { type: "json_schema", json_schema: { schema: { type: "object" } } },
      tools: [{ type: "function", function: weather }],
    },
    { choices: [{ index: 0, message: { content: "No." } }] },
  );
  expect(system).toBe("Be brief.");
  expect(messages).toEqual([
    { role: "user", text: "Rain?", attached: ["Image"] },
    {
      role: "assistant",
      text: "",
      calls: [{ id: "c1", name: "weather", arguments: "{}", result: "sunny" }],
    },
    { role: "assistant", text: "No.", answered: "gen-1" },
  ]);
  expect(parameters).toMatchObject({
    effort: "high",
    provider: "cloud",
    temperature: "0",
    maxTokens: "50",
    topP: "0.5",
    stop: "END\nSTOP",
    json: true,
    schema: '{\n  "type": "object"\n}',
  });
  expect(JSON.parse(parameters.tools)).toEqual([{ type: "function", function: weather }]);
});

test("messages: blocks of content, tools by their schema", () => {
  const { name, description, parameters: schema } = weather;
  const { system, parameters, messages } = said(
    {
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        { role: "user", content: "Rain?" },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name, input: { at: "x" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "sunny" }] },
      ],
      max_tokens: 50,
      stop_sequences: ["END"],
      tools: [{ name, description, input_schema: schema }],
    },
    { content: [{ type: "text", text: "No." }] },
  );
  expect(system).toBe("Be brief.");
  expect(messages).toEqual([
    { role: "user", text: "Rain?" },
    {
      role: "assistant",
      text: "",
      calls: [{ id: "c1", name, arguments: '{"at":"x"}', result: "sunny" }],
    },
    { role: "assistant", text: "No.", answered: "gen-1" },
  ]);
  expect(parameters.stop).toBe("END");
  expect(JSON.parse(parameters.tools)).toEqual([{ type: "function", function: weather }]);
});

test("responses: instructions, a text or items, and items as the answer", () => {
  expect(said({ instructions: "Be brief.", input: "Rain?" })).toMatchObject({
    system: "Be brief.",
    messages: [{ role: "user", text: "Rain?" }],
  });
  const { messages } = said(
    {
      input: [
        { role: "user", content: [{ type: "input_text", text: "Rain?" }] },
        { type: "function_call", call_id: "c1", name: "weather", arguments: "{}" },
        { type: "function_call_output", call_id: "c1", output: "sunny" },
      ],
    },
    {
      output: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "No." }] },
      ],
    },
  );
  expect(messages?.map(({ text }) => text)).toEqual(["Rain?", "", "No."]);
  expect(messages?.[1]?.calls?.[0]?.result).toBe("sunny");
});

test("routing for which there is no field is told from what was taken over", () => {
  const one = { only: ["a"] };
  const rules = [{ zdr: true }, { data_collection: "deny" }, { ignore: ["a"] }, { sort: "price" }];
  for (const provider of [{ only: ["a", "b"] }, ...rules, { ...one, zdr: true }]) {
    expect([provider, hasOtherRouting({ provider })]).toEqual([provider, true]);
  }
  expect(said({ provider: { only: ["a", "b"] } }).parameters.provider).toBe("");
  expect(hasOtherRouting({ models: ["m/other"] })).toBe(true);
  const plain = [
    one,
    { ...one, zdr: false, ignore: [], allow_fallbacks: true },
    { data_collection: "allow" },
  ];
  for (const provider of [...plain, undefined, null]) {
    expect([provider, hasOtherRouting({ provider })]).toEqual([provider, false]);
  }
});

test("what is stored in another form is left out", () => {
  const forms = [null, "text", [], { messages: "x" }, { messages: [null, 1, { role: "user" }] }];
  for (const form of forms) expect([form, said(form, form).messages]).toEqual([form, []]);
});
