// Counts the tokens of speech by how long it lasts, for answers whose provider reports none.
import { SoundClock, type SoundFormat } from "@turnpike/media";
import { tokensPerSecond } from "./openai/count-audio.ts";

/** Adds up the pieces of one answer: the tokens of all of them together are rounded up only once. */
export class SpokenTokens {
  readonly #clock: SoundClock;
  #tokens = 0;

  constructor(format: SoundFormat) {
    this.#clock = new SoundClock(format);
  }

  /** The tokens that these bytes complete: at least one for the first of them. */
  add(bytes: Uint8Array): number {
    if (bytes.byteLength === 0) return 0;
    this.#clock.add(bytes);
    const before = this.#tokens;
    this.#tokens = Math.max(before, 1, tokensIn(this.#clock.seconds));
    return this.#tokens - before;
  }
}

export function tokensIn(seconds: number): number {
  return Math.ceil(seconds * tokensPerSecond);
}
