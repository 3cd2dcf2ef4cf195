// What the known services take under names of their own, and how they count, bill and cut what they write.
import { expect, test } from "bun:test";
import { defaultQuirks, type OpenaiQuirks } from "./dialects/openai/quirks.ts";
import { azureQuirks, knownProviders } from "./known-providers.ts";

const names = [
  "tokenLimit",
  "tokensPerDelta",
  "streamUsage",
  "reasoningTokens",
  "seed",
  "mustCallTool",
  "toolCallIds",
  "customTools",
  "responses",
  "embeddingEncoding",
  "embeddedImages",
  "rerankTop",
  "rerankCut",
  "images",
] as const;

/** Of these, what is not as the default. */
function differences(quirks: OpenaiQuirks): object {
  const own = names.filter((name) => quirks[name] !== defaultQuirks[name]);
  return Object.fromEntries(own.map((name) => [name, quirks[name]]));
}

const many = { tokensPerDelta: "many" };
const newLimit = { tokenLimit: "max_completion_tokens" };
const shortIds = { toolCallIds: "forty_characters" };

test("each service is asked in its own way, and counted in its own way", () => {
  const asked = Object.entries(knownProviders).flatMap(([id, known]) =>
    known.kind === "openai-compatible" ? [[id, differences(known.quirks)]] : [],
  );
  expect(Object.fromEntries(asked)).toEqual({
    openai: { ...newLimit, ...shortIds, customTools: "native", responses: "native" },
    openrouter: {
      ...many,
      ...shortIds,
      images: "openrouter",
      embeddedImages: "openrouter",
    },
    groq: { ...newLimit, ...many },
    deepseek: {},
    moonshot: many,
    mistral: {
      ...many,
      streamUsage: "always",
      mustCallTool: "any",
      toolCallIds: "nine_alphanumerics",
      seed: "random_seed",
      embeddingEncoding: "float_only",
    },
    together: { ...many, images: "together" },
    xai: { ...newLimit, ...many, reasoningTokens: "apart" },
    fireworks: many,
    cohere: { rerankCut: "known" },
    jina: { embeddedImages: "jina" },
    voyage: { rerankTop: "top_k" },
    ollama: {},
    vllm: {},
    "llama.cpp": {},
    lmstudio: {},
    sandbox: { embeddedImages: "openrouter" },
  });
});

test("Azure is asked as OpenAI is, and its dated versions without custom tools and responses", () => {
  const dated = { ...newLimit, ...many, ...shortIds };
  expect(differences(azureQuirks({ form: "deployments", apiVersion: "2024-10-21" }))).toEqual(
    dated,
  );
  expect(differences(azureQuirks({ form: "v1", apiVersion: undefined }))).toEqual({
    ...dated,
    customTools: "native",
    responses: "native",
  });
});

test("services that bill a cancelled stream to its end are known", () => {
  const whole = Object.entries(knownProviders).filter(
    ([, { cancelledStream }]) => cancelledStream === "billed_whole",
  );
  expect(whole.map(([id]) => id)).toEqual(["groq", "mistral"]);
});
