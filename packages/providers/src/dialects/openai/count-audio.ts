// Counts the audio tokens of an answer by the length of its data, for answers whose provider reports no usage
// and for limits while one is streamed.
import { isObject, type JsonObject, readText } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";

/** An audio token of an answer lasts 50 ms. Source: OpenAI's guide to the costs of audio models. */
const tokensPerSecond = 20;

/** 24 kHz, 16 bits, one channel: what OpenAI's models answer with. */
const pcmBytesPerSecond = 48_000;

/** Of the formats in OpenAI's openapi.yaml, at the usual bit rates of speech; all others count as PCM. */
const bytesPerSecond: ReadonlyMap<unknown, number> = new Map([
  ["flac", pcmBytesPerSecond / 2],
  ["mp3", 16_000],
  ["aac", 8_000],
  ["opus", 4_000],
]);

/** Bytes of audio data per token, in the format that `request` asks for. */
export function audioBytesPerToken({ parsed }: ChatRequest): number {
  const format = isObject(parsed.audio) ? parsed.audio.format : undefined;
  return (bytesPerSecond.get(format) ?? pcmBytesPerSecond) / tokensPerSecond;
}

/** The transcript and the data of `audio` in a delta or a message, both empty without audio. */
export function readAudio(said: JsonObject): {
  readonly transcript: string;
  readonly dataBytes: number;
} {
  if (!isObject(said.audio)) return { transcript: "", dataBytes: 0 };
  const data = readText(said.audio.data) ?? "";
  return {
    transcript: readText(said.audio.transcript) ?? "",
    // Four characters of base64 are three bytes.
    dataBytes: (data.length * 3) / 4,
  };
}

/** Adds up the data of one answer: the tokens of all its fragments together are rounded up only once. */
export class AudioCounter {
  readonly #bytesPerToken: number;
  #bytes = 0;
  #tokens = 0;

  constructor(bytesPerToken: number) {
    this.#bytesPerToken = bytesPerToken;
  }

  /** The tokens that `dataBytes` more complete; at least one for the first data. */
  add(dataBytes: number): number {
    this.#bytes += dataBytes;
    const before = this.#tokens;
    this.#tokens = Math.ceil(this.#bytes / this.#bytesPerToken);
    return this.#tokens - before;
  }
}
