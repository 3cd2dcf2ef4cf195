// Asks for garbage to be collected while files pass through: their chunks are memory outside of the heap, whose growth alone would
// let tens of megabytes of them wait. Counted for the whole process, because its heap is one.

/** Of chunks that may wait to be collected, for each file that is passing, and for all of them. */
const waitingBytes = 4 * 1024 * 1024;
const waitingMaxBytes = 16 * waitingBytes;
/** What is smaller has no part in it. */
const largeBytes = 1024 * 1024;

let passing = 0;
let passedBytes = 0;

/** What is received of one body, or read of one file. */
export class Passage {
  #bytes = 0;

  add(bytes: number): void {
    const wasLarge = this.#bytes > largeBytes;
    this.#bytes += bytes;
    if (this.#bytes <= largeBytes) return;
    if (!wasLarge) passing += 1;
    passedBytes += bytes;
    if (passedBytes < Math.min(waitingMaxBytes, waitingBytes * passing)) return;
    passedBytes = 0;
    // In another thread; this one goes on.
    Bun.gc(false);
  }

  end(): void {
    if (this.#bytes > largeBytes) passing -= 1;
    this.#bytes = 0;
  }
}
