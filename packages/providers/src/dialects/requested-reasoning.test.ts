// Contradictory wishes about reasoning mean the same at every provider.
import { expect, test } from "bun:test";
import { buildRequest as askAnthropic } from "./anthropic/build-request.ts";
import { chatCall } from "./anthropic/sample-messages-call.fixture.ts";
import { buildRequest as askGemini } from "./gemini/build-request.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import { buildRequest as askOpenai } from "./openai/build-request.ts";
import { sampleCall } from "./openai/sample-call.fixture.ts";
import { buildTranslatedRequest } from "./openai-responses/write-request.ts";

/** The effort that each dialect asks for: in its own word, which for Anthropic is that of the newest models. */
function askedOf(body: object): Record<string, unknown> {
  const openai = (like: string, language?: string) => {
    const call = sampleCall({ like, body: { ...body }, ...(language && { language }) });
    return JSON.parse(askOpenai({ ...call, upstreamModel: "gpt-5.1" }).body).reasoning_effort;
  };
  const response = { ...sampleCall({ body: { ...body } }), upstreamModel: "gpt-5.1" };
  const upstreamModel = "claude-opus-4-8";
  const anthropic = JSON.parse(askAnthropic({ ...chatCall(body), upstreamModel }).body);
  const isOff = anthropic.thinking?.type === "disabled";
  const gemini = JSON.parse(askGemini(geminiCall(body, "gemini-3.5-flash")).body);
  const { thinkingLevel } = gemini.generationConfig?.thinkingConfig ?? {};
  return {
    strict: openai("openai"),
    ignoring: openai("vllm"),
    translated: openai("vllm", "other"),
    responses: JSON.parse(buildTranslatedRequest(response).body).reasoning?.effort,
    anthropic: isOff ? "none" : anthropic.output_config?.effort,
    gemini: thinkingLevel === "minimal" ? "none" : thinkingLevel,
  };
}

test.each<[object, string | undefined]>([
  [{ reasoning_effort: "low" }, "low"],
  [{ reasoning: { effort: "low" } }, "low"],
  [{ reasoning: { effort: null }, reasoning_effort: "high" }, "high"],
  [{ reasoning: { enabled: true }, reasoning_effort: "high" }, "high"],
  [{ reasoning: { enabled: false } }, "none"],
  [{ reasoning: { enabled: false, effort: "high" } }, "none"],
  [{ reasoning: { enabled: false }, reasoning_effort: "high" }, "none"],
  [{ reasoning: { enabled: false, max_tokens: 9_000 } }, "none"],
  [{ reasoning: { effort: "none", enabled: true } }, "none"],
  [{ reasoning: { effort: "none", max_tokens: 9_000 } }, "none"],
])("%j asks every dialect for effort %s", (body, effort) => {
  const names = ["strict", "ignoring", "translated", "responses", "anthropic", "gemini"];
  expect(askedOf(body)).toEqual(Object.fromEntries(names.map((name) => [name, effort])));
});
