// Which models a provider of each kind serves, and in which dialect; names that would leave their place in an
// address are none.
import { expect, test } from "bun:test";
import type { ProviderKind } from "../known-providers.ts";
import { dialectKindOf } from "./dialect-kind.ts";

const served: readonly (readonly [ProviderKind, string, string])[] = [
  ["azure", "my-deployment_1.2", "openai-compatible"],
  ["google", "gemini-2.5-flash", "google"],
  ["google", "tunedModels/my-model", "google"],
  ["vertex", "gemini-2.5-flash", "google"],
  ["vertex", "claude-sonnet-4-5@20250929", "anthropic"],
  ["bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic"],
  ["anthropic", "any/name", "anthropic"],
  ["openai-compatible", "any/name", "openai-compatible"],
  ["elevenlabs", "scribe_v1", "elevenlabs"],
  ["deepgram", "nova-3", "deepgram"],
];

test.each(served)("%s serves %s in the dialect %s", (kind, model, dialect) => {
  expect<object>(dialectKindOf(kind, model)).toEqual({ kind: dialect });
});

const refused: readonly (readonly [ProviderKind, string, string])[] = [
  ["azure", "a/b", "the name of a deployment"],
  ["azure", "..", "the name of a deployment"],
  ["azure", "a?api-version=1", "the name of a deployment"],
  ["google", "tunedModels/..", "a model like gemini-2.5-flash"],
  ["google", "models/a:embedContent", "a model like gemini-2.5-flash"],
  ["vertex", "llama-4", "is not served from Vertex AI"],
  ["bedrock", "meta.llama4", "only Claude is served from Bedrock"],
];

test.each(refused)("%s does not serve %s, and says what to write", (kind, model, advice) => {
  expect(dialectKindOf(kind, model)).toEqual({
    kind: "unknown",
    advice: expect.stringContaining(advice),
  });
});
