// How calls and results are sent to Vertex AI.
import { expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { geminiCall, tools } from "./sample-response.fixture.ts";

const called = (id: string, city: string) => ({
  id,
  type: "function",
  function: { name: "get_weather", arguments: JSON.stringify({ city }) },
});
const messages = [
  { role: "user", content: "Hello" },
  { role: "assistant", content: null, tool_calls: [called("a", "Oslo"), called("b", "Rome")] },
  { role: "tool", tool_call_id: "b", content: "hot" },
  { role: "tool", tool_call_id: "a", content: "cold" },
];

function send(cloud: "vertex" | undefined, body: object = { messages, tools }) {
  const call = geminiCall(body, "gemini-2.5-flash");
  const provider = { ...call.provider, ...(cloud !== undefined && { cloud }) };
  const request = buildRequest({ ...call, provider });
  return { path: request.path, body: JSON.parse(request.body) };
}

test("calls are sent to Vertex AI without ids, and results in the order of their calls", () => {
  const { path, body } = send("vertex");
  expect(path).toBe("/publishers/google/models/gemini-2.5-flash:generateContent");
  expect(body.contents.slice(1)).toEqual([
    {
      role: "model",
      parts: [
        { functionCall: { name: "get_weather", args: { city: "Oslo" } } },
        { functionCall: { name: "get_weather", args: { city: "Rome" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { name: "get_weather", response: { output: "cold" } } },
        { functionResponse: { name: "get_weather", response: { output: "hot" } } },
      ],
    },
  ]);
});

test("everything else is the same as for the Gemini API, which gets the ids", () => {
  const plain = { messages: messages.slice(0, 1), tools, temperature: 1 };
  expect(send("vertex", plain).body).toEqual(send(undefined, plain).body);
  const { contents } = send(undefined).body;
  expect(contents[2].parts[0].functionResponse.id).toBe("b");
});
