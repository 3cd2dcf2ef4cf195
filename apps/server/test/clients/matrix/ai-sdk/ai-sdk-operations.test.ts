// The AI SDK's OpenAI, OpenAI-compatible and Cohere providers with models of images, speech, transcripts and rankings, each with only a
// base URL and a key: answered, and paid once.
import { expect, test } from "bun:test";
import { createCohere } from "@ai-sdk/cohere";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { silentWav } from "@turnpike/testing";
import { generateImage, generateSpeech, rerank, transcribe } from "ai";
import { countCalls, startTestServer, testModels, useServer } from "../../../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const options = { apiKey: account.key, baseURL: server.baseUrl };
const openai = createOpenAI(options);

test.each([
  ["@ai-sdk/openai", openai.imageModel(testModels.image)],
  [
    "@ai-sdk/openai-compatible",
    createOpenAICompatible({ ...options, name: "turnpike" }).imageModel(testModels.image),
  ],
])("%s: an image, and one that is edited", async (_, model) => {
  const size = "1024x1024";
  const { calls, charges } = await countCalls(server, account, async () => {
    const { image } = await generateImage({ model, prompt: "A cat", size });
    expect(image.mediaType).toBe("image/png");
    const prompt = { text: "Paint it blue", images: [image.uint8Array] };
    expect((await generateImage({ model, prompt, size })).image.base64).toStartWith("iVBOR");
  });
  expect([calls, charges.length]).toEqual([2, 2]);
});

test("@ai-sdk/openai: speech", async () => {
  const { charges } = await countCalls(server, account, async () => {
    const { audio } = await generateSpeech({
      model: openai.speech(testModels.speech),
      text: "Hello, Oslo.",
      outputFormat: "wav",
    });
    expect(Buffer.from(audio.uint8Array).subarray(0, 4).toString()).toBe("RIFF");
  });
  expect(charges).toEqual([180_000n]);
});

test("@ai-sdk/openai: a transcript", async () => {
  const audio = Buffer.from(silentWav(30), "base64");
  const model = openai.transcription(testModels.transcription);
  const { charges } = await countCalls(server, account, async () => {
    expect((await transcribe({ model, audio })).text).not.toBe("");
  });
  expect(charges).toEqual([3_000_000n]);
});

test("@ai-sdk/cohere: the best documents first", async () => {
  const cohere = createCohere({ apiKey: account.key, baseURL: `${server.url}/v2` });
  const { charges } = await countCalls(server, account, async () => {
    const { ranking } = await rerank({
      model: cohere.reranking(testModels.rerank),
      query: "dogs cats",
      documents: ["the moon", "dogs and cats", "a dog"],
      topN: 1,
    });
    expect(ranking.map(({ originalIndex }) => originalIndex)).toEqual([1]);
  });
  expect(charges).toEqual([2_000_000n]);
});
