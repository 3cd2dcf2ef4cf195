// A model of chats is told in words to write down what an audio file says: these words are held for, and billed only as far as
// their provider reports them.
import { expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { createMemoryStore, transcriptionProtocol } from "@turnpike/wire";
import { boundMedia, boundPrompt } from "./bound-prompt.ts";
import { sandboxModels } from "./file/sandbox-models.ts";
import type { ModelRequest } from "./model.ts";

const free = {
  inputNanosPerMillion: 0n,
  cachedInputNanosPerMillion: 0n,
  cacheWriteNanosPerMillion: 0n,
  outputNanosPerMillion: 0n,
};

async function askFor(holdMs: number): Promise<ModelRequest> {
  const entries = sandboxModels("http://127.0.0.1:1/v1");
  const entry = entries.find(({ operation }) => operation === "transcription");
  if (entry?.operation !== "transcription") throw new Error("there is no such sandbox model");
  const bytes = await createMemoryStore().openFile().end();
  const file = { field: "file", filename: "a.wav", type: undefined, mediaType: "audio/wav" };
  const audio = { ...file, extension: "wav", bytes, durationMs: holdMs, holdMs };
  const form = { fields: { model: entry.id }, files: [audio] };
  const request = transcriptionProtocol.form?.parse(form, "", new Headers());
  if (request === undefined) throw new Error("transcriptions have a form");
  const price = { ...free, id: newId<PriceId>(), since: new Date(0) };
  return {
    operation: "transcription",
    model: { ...entry, price, routes: [...entry.routes] },
    request,
  };
}

test("the words that a model is told are held for beside the audio", async () => {
  const asked = await askFor(10_000);
  if (asked.operation === "chat") throw new Error("expected a transcription");
  const audioTokens = boundMedia(asked);
  expect(audioTokens).toBeGreaterThan(0);
  // The longest instruction that is sent, of a byte for each token.
  expect(boundPrompt(asked) - audioTokens).toBeGreaterThanOrEqual(200);
});
