// OpenAI's package and the AI SDK ask for images, speech, transcriptions and moderations, as their users write it: each call is
// paid once, or free.
import { expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { smallImage, wavFile } from "@turnpike/testing";
import {
  generateImage,
  experimental_generateSpeech as generateSpeech,
  experimental_transcribe as transcribe,
} from "ai";
import OpenAI, { toFile } from "openai";
import { countCalls, startTestServer, testModels, useServer } from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl, maxRetries: 0 });
const provider = createOpenAI({ apiKey: account.key, baseURL: server.baseUrl });
const png = smallImage("png", { width: 64, height: 64, color: [0, 128, 255] });
const wav = wavFile({ seconds: 1 });
const size = "1024x1024";

const paidOnce = async (ask: () => Promise<void>) => {
  const { calls, charges } = await countCalls(server, account, ask);
  expect([calls, charges.length]).toEqual([1, 1]);
};

test("images.generate(): an image with its usage", async () => {
  await paidOnce(async () => {
    const { data, usage } = await client.images.generate({
      model: testModels.image,
      prompt: "a lighthouse",
      size,
      quality: "low",
    });
    expect(data?.[0]?.b64_json).toBeString();
    expect(usage?.output_tokens_details?.image_tokens).toBeGreaterThan(0);
  });
});

test("images.generate({stream}): previews, and one finished image", async () => {
  await paidOnce(async () => {
    const stream = await client.images.generate({
      model: testModels.image,
      prompt: "a lighthouse",
      size,
      quality: "low",
      stream: true,
      partial_images: 1,
    });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(["image_generation.partial_image", "image_generation.completed"]);
  });
});

test("images.edit(): one image, several, and a mask", async () => {
  const image = () => toFile(png, "a.png", { type: "image/png" });
  const asked = { model: testModels.image, prompt: "a boat", size, quality: "low" } as const;
  await paidOnce(async () => {
    const { data } = await client.images.edit({
      ...asked,
      image: await image(),
      mask: await image(),
    });
    expect(data?.[0]?.b64_json).toBeString();
  });
  await paidOnce(async () => {
    const { data } = await client.images.edit({ ...asked, image: [await image(), await image()] });
    expect(data?.[0]?.b64_json).toBeString();
  });
});

test("audio.speech.create(): the audio", async () => {
  await paidOnce(async () => {
    const response = await client.audio.speech.create({
      model: testModels.speech,
      voice: "alloy",
      input: "Hello there.",
      response_format: "wav",
    });
    const audio = Buffer.from(await response.arrayBuffer());
    expect(audio.subarray(0, 4).toString()).toBe("RIFF");
  });
});

test("audio.transcriptions.create(): text, and captions as a string", async () => {
  await paidOnce(async () => {
    const { text } = await client.audio.transcriptions.create({
      model: testModels.transcription,
      file: await toFile(wav, "speech.wav"),
    });
    expect(text).toContain("1");
  });
  await paidOnce(async () => {
    const captions = await client.audio.transcriptions.create({
      model: testModels.transcription,
      file: await toFile(wav, "speech.wav"),
      response_format: "vtt",
    });
    expect(String(captions)).toStartWith("WEBVTT");
  });
});

test("audio.translations.create() and a stream of a transcription", async () => {
  await paidOnce(async () => {
    const { text } = await client.audio.translations.create({
      model: testModels.transcription,
      file: await toFile(wav, "speech.wav"),
    });
    expect(text).not.toBe("");
  });
  await paidOnce(async () => {
    const stream = await client.audio.transcriptions.create({
      model: testModels.transcriptionTokens,
      file: await toFile(wav, "speech.wav"),
      stream: true,
    });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types.at(-1)).toBe("transcript.text.done");
  });
});

test("moderations.create(): verdicts", async () => {
  const { results } = await client.moderations.create({
    model: testModels.moderation,
    input: ["fine", "forbidden"],
  });
  expect(results.map(({ flagged }) => flagged)).toEqual([false, true]);
});

test("a refusal has its status, its code and its field", async () => {
  const asking = client.images.generate({
    model: testModels.image,
    prompt: "x",
    size: "4096x4096" as never,
  });
  const thrown: unknown = await asking.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(OpenAI.BadRequestError);
  expect(thrown).toMatchObject({ status: 400, param: "size" });
});

test("the AI SDK: generateImage, generateSpeech and transcribe", async () => {
  await paidOnce(async () => {
    const { image } = await generateImage({
      model: provider.image(testModels.image),
      prompt: "a lighthouse",
      size,
      providerOptions: { openai: { quality: "low" } },
    });
    expect(image.mediaType).toBe("image/png");
  });
  await paidOnce(async () => {
    const { audio } = await generateSpeech({
      model: provider.speech(testModels.speech),
      text: "Hello there.",
      voice: "alloy",
    });
    expect(audio.uint8Array.length).toBeGreaterThan(0);
  });
  await paidOnce(async () => {
    const { text } = await transcribe({
      model: provider.transcription(testModels.transcription),
      audio: wav,
    });
    expect(text).not.toBe("");
  });
});
