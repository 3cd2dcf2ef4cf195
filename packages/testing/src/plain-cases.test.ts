import { afterAll, describe, expect, test } from "bun:test";
import { startMockPeer } from "./mock-peer.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { answerPlainCase, plainCases } from "./plain-cases.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const scripted = await startScriptedUpstream();
scripted.script(answerPlainCase);
const peer = await startMockPeer();
afterAll(() => Promise.all([scripted.close(), peer.close()]));

for (const [name, { baseUrl }] of Object.entries({ scripted, peer })) {
  const ask = (message: string, extra: Readonly<Record<string, unknown>> = {}) =>
    fetch(`${baseUrl}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "any",
        messages: [{ role: "user", content: message }],
        ...extra,
      }),
    });
  const firstChoice = (answer: unknown) => {
    const { choices } = fieldsOf(answer);
    return fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  };

  describe(`the ${name} upstream`, () => {
    test("answers text whole", async () => {
      const answer = await (await ask(plainCases.text.message)).json();
      expect(fieldsOf(firstChoice(answer).message).content).toBe(plainCases.text.script.text);
      expect(fieldsOf(fieldsOf(answer).usage).completion_tokens).toBeGreaterThan(0);
    });

    test("streams the same text, then usage, then [DONE]", async () => {
      const options = { stream: true, stream_options: { include_usage: true } };
      const text = await (await ask(plainCases.text.message, options)).text();
      const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => json);
      expect(data.pop()).toBe("[DONE]");
      const chunks = data.map((json) => JSON.parse(json));
      const content = chunks.map((chunk) => fieldsOf(firstChoice(chunk).delta).content ?? "");
      expect(content.join("")).toBe(plainCases.text.script.text);
      expect(chunks.at(-1).choices).toEqual([]);
      expect(chunks.at(-1).usage.completion_tokens).toBeGreaterThan(0);
    });

    test("calls a tool", async () => {
      const choice = firstChoice(await (await ask(plainCases.tool.message)).json());
      expect(choice.finish_reason).toBe("tool_calls");
      const { tool_calls: calls } = fieldsOf(choice.message);
      const [expected] = plainCases.tool.script.toolCalls;
      expect(fieldsOf(Array.isArray(calls) ? calls[0] : undefined).function).toEqual(expected);
    });

    test("is busy with OpenAI's error", async () => {
      const response = await ask(plainCases.busy.message);
      expect(response.status).toBe(429);
      const { error } = fieldsOf(await response.json());
      expect(error).toMatchObject({
        message: plainCases.busy.script.error,
        code: "rate_limit_exceeded",
      });
    });
  });
}
