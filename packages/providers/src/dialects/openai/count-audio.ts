// Counts the audio tokens of an answer by the length of its data, for answers whose provider reports no usage
// and for limits while one is streamed.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";

/** An audio token of an answer lasts 50 ms. Source: OpenAI's guide to the costs of audio models. */
export const tokensPerSecond = 20;

/** 24 kHz, 16 bits, one channel: the output of OpenAI's models. */
const pcmBytesPerSecond = 48_000;

/** For the formats in OpenAI's openapi.yaml, at the usual bit rates of speech; all others count as PCM. Chats have pieces in JSON. */
const bytesPerSecond: ReadonlyMap<unknown, number> = new Map([
  ["flac", pcmBytesPerSecond / 2],
  ["mp3", 16_000],
  ["aac", 8_000],
  ["opus", 4_000],
]);

/** What `audio` of a delta or a message carries: its transcript, and the tokens that its data complete. */
export type AudioOut = { readonly transcript: string; readonly tokens: number };

export const silence: AudioOut = { transcript: "", tokens: 0 };

/** Adds up the bytes of one answer: the tokens of all its fragments together are rounded up only once. */
class AudioTokens {
  readonly #bytesPerToken: number;
  #bytes = 0;
  #tokens = 0;

  /** The length of a token depends on the format. */
  constructor(format: unknown) {
    this.#bytesPerToken = (bytesPerSecond.get(format) ?? pcmBytesPerSecond) / tokensPerSecond;
  }

  /** The tokens that these bytes complete: at least one for the first of them. */
  add(byteCount: number): number {
    this.#bytes += byteCount;
    const before = this.#tokens;
    this.#tokens = Math.ceil(this.#bytes / this.#bytesPerToken);
    return this.#tokens - before;
  }
}

/** The same for the audio of a chat. */
export class AudioCounter {
  readonly #tokens: AudioTokens;

  constructor({ parsed }: ChatRequest) {
    this.#tokens = new AudioTokens(isObject(parsed.audio) ? parsed.audio.format : undefined);
  }

  /** At least one token for the first data. */
  add(audio: JsonObject): AudioOut {
    const data = parseText(audio.data) ?? "";
    // Four characters of base64 are three bytes.
    const tokens = this.#tokens.add((data.length * 3) / 4);
    return { transcript: parseText(audio.transcript) ?? "", tokens };
  }
}
