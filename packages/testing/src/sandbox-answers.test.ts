// The sandbox models behind other APIs show thinking where a request asks for it, as the real ones do, and not
// otherwise.
import { afterAll, describe, expect, test } from "bun:test";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());

async function ask(path: string, body: object) {
  const answer = await fetch(`${upstream.url}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return JSON.parse(await answer.text());
}

describe("sandbox-claude", () => {
  const messages = [{ role: "user", content: "say it" }];
  const said = { type: "text", text: "say it" };
  const content = async (fields: object) => {
    const body = { model: "sandbox-claude", max_tokens: 2_000, messages, ...fields };
    return (await ask("/v1/messages", body)).content;
  };

  test.each([{}, { thinking: { type: "disabled" } }, { output_config: { effort: "low" } }])(
    "shows no thinking unasked: %j",
    async (fields) => {
      expect(await content(fields)).toEqual([said]);
    },
  );

  test.each([
    { thinking: { type: "enabled", budget_tokens: 1_024 } },
    { thinking: { type: "adaptive" } },
  ])("thinks first, and signs it: %j", async (fields) => {
    const [thought, ...rest] = await content(fields);
    expect(thought).toMatchObject({ type: "thinking", signature: expect.stringMatching(/./) });
    expect(thought.thinking).not.toBeEmpty();
    expect(rest).toEqual([said]);
  });
});

describe("sandbox-gemini", () => {
  const parts = async (generationConfig: object) => {
    const contents = [{ role: "user", parts: [{ text: "say it" }] }];
    const path = "/v1beta/models/sandbox-gemini:generateContent";
    const answer = await ask(path, { contents, generationConfig });
    return answer.candidates[0].content.parts;
  };

  test.each([{}, { thinkingConfig: { thinkingBudget: 1_024 } }])(
    "shows no thoughts unasked: %j",
    async (config) => {
      expect(await parts(config)).toEqual([{ text: "say it" }]);
    },
  );

  test("shows its thoughts where it is asked to", async () => {
    const [thought, ...rest] = await parts({ thinkingConfig: { includeThoughts: true } });
    expect(thought).toMatchObject({ thought: true, text: expect.stringMatching(/./) });
    expect(rest).toEqual([{ text: "say it" }]);
  });
});
