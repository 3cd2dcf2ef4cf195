// The scripted upstream as a Gemini service: the same scripts, in the shapes of generateContent.
import { afterAll, describe, expect, test } from "bun:test";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());

function post(method: string, script: object, more: object = {}) {
  const parts = [{ text: `hi #script ${JSON.stringify(script)}` }];
  return fetch(`${upstream.url}/v1beta/models/sandbox-echo:${method}`, {
    method: "POST",
    body: JSON.stringify({ contents: [{ role: "user", parts }], ...more }),
  });
}

async function eventsOf(script: object, more?: object) {
  const text = await (await post("streamGenerateContent?alt=sse", script, more)).text();
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => JSON.parse(event.replace("data: ", "")));
}

const script = {
  reasoning: 2,
  deltas: 3,
  toolCalls: [
    { name: "f", arguments: '{"a":"some longer text"}' },
    { name: "g", arguments: "" },
  ],
};

describe("an answer in Gemini's format", () => {
  test("has whole calls, one signature, separate thoughts, and counts that agree", async () => {
    const answer = JSON.parse(await (await post("generateContent", script)).text());
    const [candidate] = answer.candidates;
    const [thought, text, first, second] = candidate.content.parts;
    expect(thought).toEqual({ text: " tok tok", thought: true });
    expect(text).toEqual({ text: " tok tok tok" });
    expect(first.functionCall).toEqual({ name: "f", args: { a: "some longer text" } });
    expect(first.thoughtSignature).toBeString();
    expect(second).toEqual({ functionCall: { name: "g", args: {} } });
    expect(candidate.finishReason).toBe("STOP");
    const usage = answer.usageMetadata;
    expect(usage.thoughtsTokenCount).toBe(2);
    expect(usage.totalTokenCount).toBe(
      usage.promptTokenCount + usage.candidatesTokenCount + usage.thoughtsTokenCount,
    );
  });

  test("streams the same parts, without [DONE]", async () => {
    const events = await eventsOf(script);
    const parts = events.flatMap(({ candidates }) => candidates[0].content.parts);
    expect(parts.filter(({ thought }) => thought)).toHaveLength(2);
    expect(parts.filter(({ functionCall }) => functionCall)).toHaveLength(2);
    const finished = events.filter(({ candidates }) => candidates[0].finishReason !== undefined);
    expect(finished).toHaveLength(1);
    expect(events.at(-1)).toBe(finished[0]);
    const whole = JSON.parse(await (await post("generateContent", script)).text());
    expect(events.at(-1).usageMetadata).toEqual(whole.usageMetadata);
  });

  test("stops at the limit, and takes turns between candidates", async () => {
    const generationConfig = { maxOutputTokens: 2, candidateCount: 2 };
    const events = await eventsOf({ deltas: 5 }, { generationConfig });
    const finishes = events.filter(({ candidates }) => candidates[0].finishReason !== undefined);
    expect(finishes.map(({ candidates: [one] }) => [one.index, one.finishReason])).toEqual([
      [0, "MAX_TOKENS"],
      [1, "MAX_TOKENS"],
    ]);
  });
});

describe("like the real service it refuses", () => {
  const call = { functionCall: { name: "f", args: {} } };
  test.each([
    ["an unknown member", { logit_bias: {} }, "logit_bias"],
    ["an unknown setting", { generationConfig: { minP: 1 } }, "minP"],
    ["no turns", { contents: [] }, "contents"],
    ["a turn without parts", { contents: [{ role: "user", parts: [] }] }, "parts"],
    ["an unsigned call", { contents: [{ role: "model", parts: [call] }] }, "thought_signature"],
  ])("%s", async (_, more, named) => {
    const response = await post("generateContent", {}, more);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(named);
  });
});
