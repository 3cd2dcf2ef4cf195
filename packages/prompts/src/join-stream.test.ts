// Streams of languages whose events name parts of an answer, as what is stored of them.
import { expect, test } from "bun:test";
import { describePrompt } from "./prompt-content.ts";

test("a stream of the AI SDK is joined, without what its provider needs back", async () => {
  const kept = { providerMetadata: { gateway: { reasoningDetails: [{ signature: "c2lnbmVk" }] } } };
  const parts = [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: "gen-1", modelId: "a/b" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Hm." },
    { type: "reasoning-end", id: "0", ...kept },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "ada@exam" },
    { type: "text-delta", id: "1", delta: "ple.org" },
    { type: "text-end", id: "1" },
    { type: "file", mediaType: "image/png", data: "iVBORw0KGgoAAAANSUhEUg==" },
    { type: "tool-call", toolCallId: "c", toolName: "f", input: "{}", ...kept },
    { type: "finish", finishReason: "tool-calls", usage: { inputTokens: 3 } },
  ];
  const answer = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("");
  const described = await describePrompt({
    request: "{}",
    answer,
    isStream: true,
    isCut: false,
    redacts: true,
  });
  expect(described).toMatchObject({
    answer: {
      id: "gen-1",
      model: "a/b",
      finishReason: "tool-calls",
      usage: { inputTokens: 3 },
      content: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "[redacted email]" },
        { type: "file", data: "[image/png, about 18 bytes, not stored]" },
        { type: "tool-call", toolCallId: "c", toolName: "f", input: "{}" },
      ],
    },
  });
  expect(JSON.stringify(described)).not.toContain("c2lnbmVk");
});
