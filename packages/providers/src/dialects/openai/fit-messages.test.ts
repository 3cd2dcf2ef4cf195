// The conversation of a chat completion as services that know less than OpenAI does are sent it: in OpenAI's words, without
// what they would refuse, and with all that it says.
import { expect, test } from "bun:test";
import { azureQuirks } from "../../known-providers.ts";
import { buildRequest } from "./build-request.ts";
import { type SampleOptions, sampleCall, sampleProvider } from "./sample-call.fixture.ts";

function sentBody(options: SampleOptions): Record<string, unknown> {
  return JSON.parse(buildRequest(sampleCall(options)).body);
}

const user = { role: "user", content: "Hi" };

test("cache marks are not sent to services that refuse fields they do not know", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const call = { id: "AbCdEf012", type: "function", function: { name: "f", arguments: "{}" } };
  const tool = {
    type: "function",
    function: { name: "f", parameters: { type: "object", properties: {} } },
  };
  const conversation = (marks: object) => ({
    ...marks,
    tools: [{ ...tool, ...marks }, tool],
    messages: [
      { role: "system", content: [{ type: "text", text: 'Say "cache_control".', ...marks }] },
      { role: "user", content: "Hi", ...marks },
      { role: "assistant", content: null, tool_calls: [{ ...call, ...marks }] },
      { role: "tool", tool_call_id: call.id, content: [{ type: "text", text: "1", ...marks }] },
    ],
  });
  const dated = azureQuirks({ form: "deployments", apiVersion: "2024-10-21" });
  const strict = ["openai", "groq", "mistral", "fireworks"].map((like) => sampleProvider(like));
  for (const quirks of [dated, ...strict.map((provider) => provider.quirks)]) {
    const sample = sampleCall({ body: conversation(mark) });
    const sent = buildRequest({ ...sample, provider: { ...sample.provider, quirks } });
    expect(JSON.parse(sent.body)).toEqual({ model: "model-1", ...conversation({}) });
  }
  for (const like of ["openrouter", "vllm"]) {
    expect(sentBody({ like, body: conversation(mark) })).toMatchObject(conversation(mark));
  }
});

test("instructions of a developer are a system message for services that know no such role", () => {
  const messages = [
    { role: "developer", content: 'Answer {"role":"developer"} literally.' },
    { role: "user", content: "Hi" },
    { role: "developer", content: "Be brief." },
  ];
  const rolesOf = (like: string) =>
    (sentBody({ like, body: { messages } }).messages as typeof messages).map(({ role }) => role);
  for (const like of ["openai", "openrouter"])
    expect(rolesOf(like)).toEqual(["developer", "user", "developer"]);
  // It takes no instructions at the end.
  expect(rolesOf("mistral")).toEqual(["system", "user", "user"]);
  for (const like of ["deepseek", "groq", "vllm"]) {
    expect(rolesOf(like)).toEqual(["system", "user", "system"]);
    expect(sentBody({ like, body: { messages } }).messages).toMatchObject(
      messages.map(({ content }) => ({ content })),
    );
  }
});

test("an answer is sent back without the reasoning and the empty members that a strict service refuses", () => {
  const call = { id: "AbCdEf012", type: "function", function: { name: "f", arguments: "{}" } };
  const details = [{ type: "reasoning.text", text: "Hm.", index: 0 }];
  const reasoning = { reasoning: "Hm.", reasoning_content: "Hm.", reasoning_details: details };
  const empty = { refusal: null, annotations: [], audio: null, function_call: null };
  const said = { role: "assistant", content: null, tool_calls: [call] };
  const result = { role: "tool", tool_call_id: "AbCdEf012", content: '{"reasoning":1}' };
  const conversation = (answer: object) => ({ messages: [answer, result] });
  const sentTo = (like: string) =>
    sentBody({ like, body: conversation({ ...said, ...reasoning, ...empty }) }).messages;
  for (const like of ["groq", "mistral", "fireworks"]) expect(sentTo(like)).toEqual([said, result]);
  expect(sentTo("openai")).toEqual([{ ...said, ...empty }, result]);
  for (const like of ["deepseek", "openrouter", "vllm"])
    expect(sentTo(like)).toEqual([{ ...said, ...reasoning, ...empty }, result]);
  // What the model refused with is what it said.
  const refused = { role: "assistant", content: null, refusal: "No." };
  const refusedTo = (like: string) => sentBody({ like, body: { messages: [refused] } }).messages;
  expect(refusedTo("openai")).toEqual([refused]);
  expect(refusedTo("groq")).toEqual([{ role: "assistant", content: "No." }]);
});

test("strict services are sent the members of messages and calls that they know", () => {
  const spelled = { name: "f", arguments: "{}" };
  const call = { id: "AbCdEf012", type: "function", function: spelled };
  const messages = [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: "Ho",
      provider_specific_fields: {},
      citations: [],
      thinking_blocks: [{ type: "thinking" }],
      parsed: { a: 1 },
      prefix: false,
      tool_calls: [
        {
          ...call,
          index: 0,
          extra_content: { google: { thought_signature: "s" } },
          function: { ...spelled, parsed_arguments: {} },
        },
      ],
    },
    { role: "tool", tool_call_id: call.id, content: "1", tool_calls: null },
  ];
  const [user, said, result] = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Ho", tool_calls: [call] },
    { role: "tool", tool_call_id: call.id, content: "1" },
  ];
  for (const like of ["openai", "groq", "mistral", "fireworks"]) {
    expect(sentBody({ like, body: { messages } }).messages).toEqual([user, said, result]);
  }
  for (const like of ["vllm", "openrouter"]) {
    expect(sentBody({ like, body: { messages } }).messages).toEqual(messages);
  }
});

test("a part that is a refusal is text for services that know no such part", () => {
  const part = { type: "refusal", refusal: "No." };
  const messages = [user, { role: "assistant", content: [part] }, user];
  for (const [like, said] of [
    ["mistral", { type: "text", text: "No." }],
    ["groq", { type: "text", text: "No." }],
    ["openai", part],
  ] as const) {
    expect(sentBody({ like, body: { messages } }).messages).toMatchObject([
      user,
      { role: "assistant", content: [said] },
      user,
    ]);
  }
});

test("reasoning of a plain answer reaches a service that reads it in another member", () => {
  const answers = [
    { role: "assistant", content: "Ho", reasoning: "Hm." },
    {
      role: "assistant",
      content: "Ho",
      reasoning_details: [{ type: "reasoning.text", text: "Hm." }],
    },
  ];
  for (const answer of answers) {
    const messages = [{ role: "user", content: "Hi" }, answer, { role: "user", content: "So?" }];
    for (const like of ["deepseek", "moonshot"]) {
      const [, sent] = sentBody({ like, body: { messages } }).messages as object[];
      expect(sent).toMatchObject({ content: "Ho", reasoning_content: "Hm." });
    }
  }
});

test("images among the results of a tool follow in a message of the user where only text is read", () => {
  const call = { id: "AbCdEf012", type: "function", function: { name: "f", arguments: "{}" } };
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const seen = { type: "text", text: "seen" };
  const answer = { role: "assistant", content: null, tool_calls: [call] };
  const messages = [answer, { role: "tool", tool_call_id: call.id, content: [seen, image] }];
  const shown = [
    { role: "tool", tool_call_id: call.id, content: [seen] },
    { role: "user", content: [image] },
  ];
  for (const like of ["openai", "groq", "fireworks"]) {
    expect(sentBody({ like, body: { messages } }).messages).toEqual([answer, ...shown]);
  }
  const [result, user] = shown;
  const bridged = [answer, result, { role: "assistant", content: "OK." }, user];
  expect(sentBody({ like: "mistral", body: { messages } }).messages).toEqual(bridged);
  expect(sentBody({ like: "vllm", body: { messages } }).messages).toEqual(messages);
});

test("the name of a participant is what Mistral reads in the text", () => {
  const messages = [
    { role: "system", name: "boss", content: "Be brief." },
    { role: "user", name: "Ada", content: "Hi" },
  ];
  expect(sentBody({ like: "mistral", body: { messages } }).messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Ada: Hi" },
  ]);
  expect(sentBody({ like: "openai", body: { messages } }).messages).toEqual(messages);
});

test("what a user says between reminders is not a reminder", () => {
  const call = { id: "AbCdEf012", type: "function", function: { name: "f", arguments: "{}" } };
  const result = { role: "tool", tool_call_id: call.id, content: "1" };
  const reminder = (text: string) => `<system-reminder>${text}</system-reminder>`;
  const rolesFor = (content: string) => {
    const answer = { role: "assistant", content: null, tool_calls: [call] };
    const messages = [answer, result, { role: "user", content }];
    const sent = sentBody({ like: "mistral", body: { messages } }).messages;
    return (sent as { role: string }[]).map(({ role }) => role);
  };
  const reminded = ["assistant", "tool"];
  const asked = ["assistant", "tool", "assistant", "user"];
  expect(rolesFor(` ${reminder("a")}\n${reminder("b")} `)).toEqual(reminded);
  expect(rolesFor(`${reminder("a")} delete the file ${reminder("b")}`)).toEqual(asked);
  expect(rolesFor(`${reminder("a")} delete the file`)).toEqual(asked);
  expect(rolesFor("<system-reminder>a")).toEqual(asked);
});
