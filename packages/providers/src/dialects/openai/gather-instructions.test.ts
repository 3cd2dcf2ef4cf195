// Translated conversations with instructions in the middle, over services that take them anywhere and over
// those whose chat templates take one system message, at the beginning.
import { expect, test } from "bun:test";
import { messagesProtocol, responsesProtocol } from "@turnpike/wire";
import { buildRequest } from "./build-request.ts";
import { sampleCall } from "./sample-call.fixture.ts";

const sentTo = (like: string, request: ReturnType<typeof messagesProtocol.parse>) =>
  JSON.parse(buildRequest({ ...sampleCall({ like }), request }).body).messages;
const parse = (...messages: readonly object[]) => {
  const body = { model: "m", max_tokens: 9, system: "Be brief.", messages };
  return messagesProtocol.parse(JSON.stringify(body), new Headers());
};

const system = (content: unknown) => ({ role: "system", content });
const user = (content: unknown) => ({ role: "user", content });
const reminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;
const call = { type: "tool_use", id: "t1", name: "f", input: {} };
const result = { type: "tool_result", tool_use_id: "t1", content: "42" };

/** As Claude Code sends it. */
const conversation = parse(
  user("Hi"),
  system("The shell is fish."),
  { role: "assistant", content: [call] },
  user([result]),
  system([{ type: "text", text: "9 tokens left.", cache_control: { type: "ephemeral" } }]),
);

test("a chat template that accepts one system message is given one", () => {
  for (const like of ["vllm", "ollama", "llama.cpp", "lmstudio"]) {
    const messages = sentTo(like, conversation);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    expect(messages[0].content).toBe("Be brief.");
    expect(messages[1].content).toBe(`Hi\n\n${reminder("The shell is fish.")}`);
    expect(messages[4].content).toBe(reminder("9 tokens left."));
  }
});

test("a service that takes them anywhere gets them where they are", () => {
  for (const like of ["openai", "openrouter"]) {
    const roles = sentTo(like, conversation).map(({ role }: { role: string }) => role);
    expect(roles).toEqual(["system", "user", "system", "assistant", "tool", "system"]);
  }
});

test("instructions at the beginning become one, and what the user says next joins a reminder", () => {
  const input = [
    { role: "developer", content: "Use tools." },
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Ho" },
    { role: "developer", content: "Hurry." },
    {
      role: "user",
      content: [
        { type: "input_text", text: "Go" },
        { type: "input_text", text: "!" },
      ],
    },
  ];
  const raw = JSON.stringify({ model: "m", instructions: "Be brief.", input });
  const request = responsesProtocol.parse(raw, new Headers());
  const body = JSON.parse(buildRequest({ ...sampleCall({ like: "vllm" }), request }).body);
  const text = (said: string) => ({ type: "text", text: said });
  expect(body.messages).toEqual([
    system("Be brief.\n\nUse tools."),
    user("Hi"),
    { role: "assistant", content: "Ho" },
    user([text(reminder("Hurry.")), text("Go"), text("!")]),
  ]);
});

test("a chat completion is the caller's own, wherever its instructions are", () => {
  const messages = [user("Hi"), system("Be brief.")];
  expect(
    JSON.parse(buildRequest(sampleCall({ like: "vllm", body: { messages } })).body).messages,
  ).toEqual(messages);
});
