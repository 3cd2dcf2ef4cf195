// The slot of a request whose body is being read, and then of the body itself. The request counts for its key and
// its account while it is read; the body counts as the memory it takes, until its call has ended.
import { type AccountId, Fault, overloaded } from "@turnpike/base";
import type { BodyMemory } from "./body-memory.ts";
import type { ConcurrentCalls, Owners } from "./running-counts.ts";

/**
 * Measured: a call holds the text it received, a second copy in the values that were parsed from it, and what it
 * sends to its upstream, or receives from it. Bytes that have only arrived count as much, because they are about to become that.
 */
const copiesOfText = 3;

export class BodySlot {
  readonly #owners: Owners;
  readonly #reading: ConcurrentCalls;
  readonly #memory: BodyMemory;
  #isReading = true;
  #isReleased = false;
  #textBytes = 0;
  #parsedBytes = 0;
  #answerBytes = 0;

  constructor(owners: Owners, reading: ConcurrentCalls, memory: BodyMemory, textBytes: number) {
    this.#owners = owners;
    this.#reading = reading;
    this.#memory = memory;
    this.resize(textBytes);
    reading.add(owners, 1);
  }

  get accountId(): AccountId {
    return this.#owners.accountId;
  }

  /** Counts the text of the body as `textBytes` large. Throws where that is too much, as `BodyMemory.add` does. */
  resize(textBytes: number): void {
    if (this.#isReleased) return;
    this.#memory.add(this.accountId, (textBytes - this.#textBytes) * copiesOfText);
    this.#textBytes = textBytes;
  }

  /** Counts what the body takes besides copies of its text, now that it is parsed. Throws as `resize` does. */
  countParsed(bytes: number): void {
    if (this.#isReleased) return;
    this.#memory.add(this.accountId, bytes - this.#parsedBytes);
    this.#parsedBytes = bytes;
  }

  /**
   * Counts an answer that is kept until it is complete, of which so many bytes have come. Throws `overloaded` where there is no
   * room: its provider would be paid again for a retry.
   */
  countAnswer(bytes: number): void {
    if (this.#isReleased) return;
    try {
      this.#memory.add(this.accountId, (bytes - this.#answerBytes) * copiesOfText);
    } catch (thrown) {
      const { code, message } = overloaded("answers");
      throw new Fault(code, message, { shouldRetry: false, cause: thrown });
    }
    this.#answerBytes = bytes;
  }

  /** For a body that is read: it no longer counts among those being read, but its memory still counts. */
  endReading(): void {
    if (this.#isReading) this.#reading.add(this.#owners, -1);
    this.#isReading = false;
  }

  /** When nothing refers to the body any more; only the first call counts. */
  release(): void {
    this.endReading();
    this.resize(0);
    this.countParsed(0);
    this.countAnswer(0);
    this.#isReleased = true;
  }
}
