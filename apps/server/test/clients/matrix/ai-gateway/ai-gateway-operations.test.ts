// The AI SDK's gateway provider with every other kind of model, in the versions that have it: each is answered, paid once, and says what
// it cost; the lists of models and of credits are read.
import { describe, expect, test } from "bun:test";
import { embeddingOf, silentWav } from "@turnpike/testing";
import {
  at,
  countCalls,
  readMoney,
  startTestServer,
  testModels,
  useServer,
} from "../../../harness/index.ts";
import { majors } from "../../ai-sdk-majors.ts";

const { server, account } = await useServer(startTestServer());

const costOf = (metadata: unknown) => Number(at(metadata, "gateway.cost"));
const usd = (nanos: bigint | undefined) => Number(nanos) / 1e9;

describe.each(majors)("AI SDK %s", (major, { sdk, base }) => {
  const gateway = sdk.createGateway({ apiKey: account.key, baseURL: `${server.url}${base}` });

  test("embedMany: a vector for each text", async () => {
    const values = ["one text", "another text"];
    const model = gateway.textEmbeddingModel(testModels.embeddings);
    const { calls, charges } = await countCalls(server, account, async () => {
      const answer = await sdk.embedMany({ model, values });
      expect(answer.embeddings).toEqual(values.map((text) => embeddingOf(text, 256)));
      expect(answer.usage.tokens).toBe(5);
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });

  test("generateImage: the images of one call, and one that is edited", async () => {
    const generateImage = sdk.generateImage ?? Reflect.get(sdk, "experimental_generateImage");
    const model = gateway.imageModel(testModels.image);
    const { calls, charges } = await countCalls(server, account, async () => {
      const answer = await generateImage({ model, prompt: "A cat", n: 2, size: "1024x1024" });
      expect(answer.images.map(({ mediaType }: { mediaType: string }) => mediaType)).toEqual([
        "image/png",
        "image/png",
      ]);
      if (major === "7") {
        const prompt = { text: "Paint it blue", images: [answer.image.uint8Array] };
        const edited = await generateImage({ model, prompt, size: "1024x1024" });
        expect(edited.image.base64).toStartWith("iVBOR");
      }
    });
    const expected = major === "7" ? 2 : 1;
    expect([calls, charges.length]).toEqual([expected, expected]);
  });

  test("getAvailableModels: each with its type and its price per token", async () => {
    const { models } = await gateway.getAvailableModels();
    const typeOf = new Map(models.map(({ id, modelType }) => [id, modelType]));
    expect(typeOf.get(testModels.cheap)).toBe("language");
    expect(typeOf.get(testModels.embeddings)).toBe("embedding");
    expect(typeOf.get(testModels.image)).toBe("image");
    expect(typeOf.has(testModels.hidden)).toBe(false);
    expect(typeOf.has(testModels.moderation)).toBe(false);
    const cheap = models.find(({ id }) => id === testModels.cheap);
    expect(cheap?.pricing).toMatchObject({
      input: "0.0000001",
      output: "0.0000004",
      cachedInputTokens: "0.000000025",
    });
  });

  test("getCredits: what is left and what was used", async () => {
    const credits = await gateway.getCredits();
    const { balanceNanos } = await readMoney(server, account.id);
    expect(Number(credits.balance)).toBe(usd(balanceNanos));
    expect(Number(credits.totalUsed)).toBeGreaterThan(0);
  });
});

/** AI SDK 5's gateway provider has neither. */
const withAudio = majors.filter(([major]) => major !== "5");

describe.each(withAudio)("AI SDK %s, audio and rankings", (_, { sdk, base }) => {
  const gateway = sdk.createGateway({ apiKey: account.key, baseURL: `${server.url}${base}` });

  test("generateSpeech: the audio of a text, at its price", async () => {
    const generateSpeech =
      Reflect.get(sdk, "generateSpeech") ?? Reflect.get(sdk, "experimental_generateSpeech");
    const model = gateway.speechModel(testModels.speech);
    const { charges } = await countCalls(server, account, async () => {
      const { audio, providerMetadata } = await generateSpeech({
        model,
        text: "Hello, Oslo.",
        voice: "alloy",
        outputFormat: "wav",
      });
      expect(Buffer.from(audio.uint8Array).subarray(0, 4).toString()).toBe("RIFF");
      expect(costOf(providerMetadata)).toBe(0.00018);
    });
    expect(charges.map(usd)).toEqual([0.00018]);
  });

  test("transcribe: what an audio says, and how long it is", async () => {
    const transcribe =
      Reflect.get(sdk, "transcribe") ?? Reflect.get(sdk, "experimental_transcribe");
    const model = gateway.transcriptionModel(testModels.transcription);
    const { charges } = await countCalls(server, account, async () => {
      const answer = await transcribe({ model, audio: Buffer.from(silentWav(30), "base64") });
      expect(answer.text).not.toBe("");
      expect(answer.durationInSeconds).toBe(30);
    });
    expect(charges.map(usd)).toEqual([0.003]);
  });

  test("rerank: the best of texts and of objects first", async () => {
    const model = gateway.rerankingModel(testModels.rerank);
    const texts = ["the moon", "dogs and cats", "a dog"];
    const { calls, charges } = await countCalls(server, account, async () => {
      const query = "dogs cats";
      const ranked = await sdk.rerank({ model, query, documents: texts, topN: 2 });
      expect(ranked.ranking.map(({ originalIndex }) => originalIndex)).toEqual([1, 0]);
      const objects = texts.map((text) => ({ text }));
      const best = await sdk.rerank({ model, query, documents: objects, topN: 1 });
      expect(best.rerankedDocuments).toEqual([{ text: "dogs and cats" }]);
    });
    expect([calls, charges.map(usd)]).toEqual([2, [0.002, 0.002]]);
  });
});
