// The answer of one running call as far as it has come. What is held in memory counts towards a bound for all of them.
import { readMax } from "./prompt-content.ts";

/** How much of the memory for prompts is in use. */
export type HeldMemory = { bytes: number; readonly maxBytes: number };

export class HeldAnswer {
  readonly #memory: HeldMemory;
  #bytes: number;
  #partBytes = 0;
  #parts: Uint8Array[] = [];
  /** It is longer than what is kept. */
  isCut = false;
  isOver = false;

  /** `bytes` are those of its request. */
  constructor(memory: HeldMemory, bytes: number) {
    this.#memory = memory;
    this.#bytes = 0;
    this.#hold(bytes);
  }

  /** False if there is no room for it: then it is over. */
  add(bytes: Uint8Array): boolean {
    if (this.isOver || this.isCut) return true;
    const kept = bytes.subarray(0, readMax - this.#partBytes);
    this.isCut = kept.byteLength < bytes.byteLength;
    if (this.#memory.bytes + kept.byteLength > this.#memory.maxBytes) {
      this.drop();
      return false;
    }
    this.#hold(kept.byteLength);
    this.#partBytes += kept.byteLength;
    // The source may use the memory again once it is read.
    this.#parts.push(kept.slice());
    return true;
  }

  /** Counts an answer that is not added in parts. False if there is no room for it: then it is over. */
  holdWhole(bytes: number): boolean {
    if (this.#memory.bytes + bytes > this.#memory.maxBytes) {
      this.drop();
      return false;
    }
    this.#hold(bytes);
    return true;
  }

  /** What was added. The memory stays in use until `release`. */
  end(): Buffer {
    this.isOver = true;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    return bytes;
  }

  /** Also without being complete. */
  drop(): void {
    this.end();
    this.release();
  }

  release(): void {
    this.#memory.bytes -= this.#bytes;
    this.#bytes = 0;
  }

  #hold(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.bytes += bytes;
  }
}
