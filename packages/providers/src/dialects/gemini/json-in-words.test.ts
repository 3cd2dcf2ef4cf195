// Formats beside functions: Gemini before version 3 refuses both together, so it is asked for JSON in words.
import { expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { GeminiStream } from "./gemini-stream.ts";
import { geminiCall } from "./sample-response.fixture.ts";

const tools = [{ type: "function", function: { name: "f" } }];
const schema = { type: "object", properties: { a: { type: "number" } } };
const format = { type: "json_schema", json_schema: { name: "s", schema } };
const asked = (fields: object, model: string) =>
  JSON.parse(buildRequest(geminiCall(fields, model)).body);

test.each([
  [{ tools, response_format: format }, "gemini-2.5-flash", true],
  [{ tools, response_format: { type: "json_object" } }, "gemini-2.5-flash", true],
  [{ tools, response_format: format }, "gemini-3-flash", false],
  [{ tools: [], response_format: format }, "gemini-2.5-flash", false],
  [{ response_format: format }, "gemini-2.5-flash", false],
])("%j to %s is asked for in words: %p", (fields, model, inWords) => {
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
  ];
  const body = asked({ ...fields, messages }, model);
  const said = body.systemInstruction.parts.map(({ text }: { text: string }) => text);
  expect(said).toEqual(["Be brief.", ...(inWords ? [expect.stringContaining("JSON")] : [])]);
  const type = inWords ? undefined : "application/json";
  expect(body.generationConfig?.responseMimeType).toBe(type);
});

test("text beside functions is asked for as before", () => {
  expect(asked({ tools }, "gemini-2.5-flash").systemInstruction).toBeUndefined();
});

test("an answer is shown without a code fence, each candidate to its end", () => {
  const call = geminiCall({ tools, response_format: format, n: 2, stream: true });
  const stream = new GeminiStream(call, { maxEventBytes: 1_000, headers: new Headers() });
  const candidate = (index: number, text: string, finishReason?: string) => ({
    index,
    content: { parts: [{ text }] },
    finishReason,
  });
  const bytes = [
    { candidates: [candidate(0, "```json\n{"), candidate(1, "{}")] },
    { candidates: [candidate(0, "}\n"), candidate(1, " \n", "STOP")] },
    { candidates: [candidate(0, "```\n", "STOP")] },
  ].map((response) => `data: ${JSON.stringify(response)}\n\n`);
  const events = stream.push(new TextEncoder().encode(bytes.join("")));
  const texts = ["", ""];
  for (const event of events) {
    for (const delta of event.kind === "deltas" ? event.deltas : []) {
      if (delta.kind === "text") texts[delta.choice] += delta.text;
    }
  }
  expect(texts).toEqual(["{}", "{} \n"]);
});
