// What the official packages for JavaScript ask of each operation, as their users write it; each asserts what it was answered.
import { expect } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { GoogleGenAI } from "@google/genai";
import { OpenAIEmbeddings } from "@langchain/openai";
import { smallImage, wavFile } from "@turnpike/testing";
import {
  embedMany,
  generateImage,
  experimental_generateSpeech as generateSpeech,
  experimental_transcribe as transcribe,
} from "ai";
import { CohereClientV2 } from "cohere-ai";
import OpenAI, { toFile } from "openai";
import type { Cell, OperationName } from "./upstreams.fixture.ts";

/** An operation that it has no call for is absent. */
export type Client = {
  readonly name: string;
  readonly asks: Partial<Readonly<Record<OperationName, (cell: Cell) => Promise<void>>>>;
};

export type Access = { readonly url: string; readonly baseUrl: string; readonly key: string };

const png = smallImage("png", { width: 64, height: 64, color: [0, 128, 255] });
const wav = wavFile({ seconds: 3 });
const prompt = "a lighthouse";
const text = "Hello there.";
const query = "dogs cats";
const documents = ["the moon", "dogs and cats", "my dogs"];
const texts = ["one text", "another text"];

export function nodeClients({ url, baseUrl, key }: Access): readonly Client[] {
  return [
    openai(new OpenAI({ apiKey: key, baseURL: baseUrl, maxRetries: 0 })),
    aiSdk(createOpenAI({ apiKey: key, baseURL: baseUrl })),
    cohere(new CohereClientV2({ token: key, environment: url })),
    {
      name: "google-genai",
      asks: {
        async embeddings({ model }) {
          const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
          const { embeddings } = await client.models.embedContent({ model, contents: texts });
          expect(embeddings?.map(({ values }) => values?.length)).toEqual([256, 256]);
        },
      },
    },
    {
      name: "LangChain",
      asks: {
        async embeddings({ model }) {
          const configuration = { baseURL: baseUrl };
          const client = new OpenAIEmbeddings({ model, apiKey: key, configuration, maxRetries: 0 });
          const vectors = await client.embedDocuments(texts);
          expect(vectors.map(({ length }) => length)).toEqual([256, 256]);
        },
      },
    },
  ];
}

function openai(client: OpenAI): Client {
  const file = () => toFile(wav, "speech.wav");
  return {
    name: "openai",
    asks: {
      async images({ model }) {
        const { data, usage } = await client.images.generate({ model, prompt });
        expect(data?.[0]?.b64_json).toBeString();
        expect(usage?.input_tokens_details.image_tokens).toBeNumber();
      },
      async edits({ model }) {
        const image = await toFile(png, "a.png", { type: "image/png" });
        const { data } = await client.images.edit({ model, prompt, image });
        expect(data?.[0]?.b64_json).toBeString();
      },
      async speech({ model, voice }) {
        const asked = { model, voice, input: text, response_format: "pcm" } as const;
        const answer = await client.audio.speech.create(asked);
        expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
      },
      async transcriptions({ model }) {
        const said = await client.audio.transcriptions.create({ model, file: await file() });
        expect(said.text).toContain("3 seconds of audio");
      },
      async translations({ model }) {
        const said = await client.audio.translations.create({ model, file: await file() });
        expect(said.text).not.toBe("");
      },
      async moderations({ model }) {
        const { results } = await client.moderations.create({ model, input: ["a", "forbidden"] });
        expect(results.map(({ flagged }) => flagged)).toEqual([false, true]);
      },
      async embeddings({ model }) {
        const { data } = await client.embeddings.create({ model, input: texts });
        expect(data.map(({ embedding }) => embedding.length)).toEqual([256, 256]);
      },
    },
  };
}

function aiSdk(provider: ReturnType<typeof createOpenAI>): Client {
  const maxRetries = 0;
  return {
    name: "AI SDK",
    asks: {
      async images({ model }) {
        const { image } = await generateImage({ model: provider.image(model), prompt, maxRetries });
        expect(image.uint8Array.length).toBeGreaterThan(50);
      },
      async edits({ model }) {
        const asked = { text: prompt, images: [new Uint8Array(png)] };
        const options = { model: provider.image(model), prompt: asked, maxRetries };
        const { image } = await generateImage(options);
        expect(image.uint8Array.length).toBeGreaterThan(50);
      },
      async speech({ model, voice }) {
        const options = { model: provider.speech(model), text, voice, maxRetries };
        const { audio } = await generateSpeech({ ...options, outputFormat: "pcm" });
        expect(audio.uint8Array.length).toBeGreaterThan(1_000);
      },
      async transcriptions({ model }) {
        const options = { model: provider.transcription(model), audio: wav, maxRetries };
        expect((await transcribe(options)).text).toContain("3 seconds of audio");
      },
      async embeddings({ model }) {
        const options = { model: provider.embedding(model), values: texts, maxRetries };
        const { embeddings } = await embedMany(options);
        expect(embeddings.map(({ length }) => length)).toEqual([256, 256]);
      },
    },
  };
}

function cohere(client: CohereClientV2): Client {
  return {
    name: "cohere",
    asks: {
      async rerank({ model }) {
        const asked = { model, query, documents, topN: 2 };
        const { results } = await client.rerank(asked, { maxRetries: 0 });
        expect(results.map(({ index }) => index)).toEqual([1, 2]);
      },
    },
  };
}
