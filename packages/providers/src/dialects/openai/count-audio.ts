// Counts the audio tokens of an answer by the length of its data, for answers whose provider reports no usage
// and for limits while one is streamed.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";

/** An audio token of an answer lasts 50 ms. Source: OpenAI's guide to the costs of audio models. */
const tokensPerSecond = 20;

/** 24 kHz, 16 bits, one channel: the output of OpenAI's models. */
const pcmBytesPerSecond = 48_000;

/** For the formats in OpenAI's openapi.yaml, at the usual bit rates of speech; all others count as PCM. */
const bytesPerSecond: ReadonlyMap<unknown, number> = new Map([
  ["flac", pcmBytesPerSecond / 2],
  ["mp3", 16_000],
  ["aac", 8_000],
  ["opus", 4_000],
]);

/** What `audio` of a delta or a message carries: its transcript, and the tokens that its data complete. */
export type AudioOut = { readonly transcript: string; readonly tokens: number };

export const silence: AudioOut = { transcript: "", tokens: 0 };

/** Adds up the data of one answer: the tokens of all its fragments together are rounded up only once. */
export class AudioCounter {
  readonly #bytesPerToken: number;
  #bytes = 0;
  #tokens = 0;

  /** The length of a token depends on the format that the request asks for. */
  constructor({ parsed }: ChatRequest) {
    const format = isObject(parsed.audio) ? parsed.audio.format : undefined;
    this.#bytesPerToken = (bytesPerSecond.get(format) ?? pcmBytesPerSecond) / tokensPerSecond;
  }

  /** At least one token for the first data. */
  add(audio: JsonObject): AudioOut {
    const data = parseText(audio.data) ?? "";
    // Four characters of base64 are three bytes.
    this.#bytes += (data.length * 3) / 4;
    const before = this.#tokens;
    this.#tokens = Math.ceil(this.#bytes / this.#bytesPerToken);
    return { transcript: parseText(audio.transcript) ?? "", tokens: this.#tokens - before };
  }
}
