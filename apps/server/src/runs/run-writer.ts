// Stores the events of a run in order, several at a time, while its answer goes on. Where the database does not take them, it tries again;
// the answer waits once too many are in memory.
import { Fault } from "@turnpike/base";
import { appendEvents, endRun, type RunEnd, type RunPlace } from "@turnpike/runs";
import type { Log } from "@turnpike/telemetry";
import type { MemoryAccess } from "../memory/memory-access.ts";

const flushAfterMs = 50;
const flushBytes = 64 * 1024;
/** In memory, beyond which the answer waits. */
const waitingBytesMax = 4 * 1024 * 1024;
/** Of one run. */
const runBytesMax = 64 * 1024 * 1024;
const pauseMs = 500;
const appendTries = 120;
/** A run whose end is missing would be running for as long as its process lives. A process that drains does not wait for it for ever. */
const endTries = Number.POSITIVE_INFINITY;

type Options = {
  readonly log: Log;
  readonly access: Pick<MemoryAccess, "objects" | "run">;
  readonly place: RunPlace;
  /** Ends the call: somebody asked for it, or its events cannot be stored, for the reason given. */
  readonly stop: (why?: Fault) => void;
};

export class RunWriter {
  readonly #options: Options;
  #events: string[] = [];
  #response: string | undefined;
  #bytes = 0;
  #totalBytes = 0;
  /** Of the next event. */
  #number = 0;
  #flushing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFull = false;
  #isGone = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get nextNumber(): number {
    return this.#number + this.#events.length;
  }

  /** Whether the run has been deleted or ended elsewhere, or its events could not be stored. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** The first event says with which number a run begins. */
  startAt(number: number): void {
    if (this.#totalBytes === 0) this.#number = number;
  }

  /**
   * Resolves when the next one may follow. `response` is the response as it is read from now on. Rejects, once, where the run has no room
   * for it: what ends its events may follow.
   */
  async add(event: string, response?: string): Promise<void> {
    const bytes = Buffer.byteLength(event);
    this.#totalBytes += bytes;
    if (this.#totalBytes > runBytesMax && !this.#isFull) {
      this.#isFull = true;
      throw tooLarge();
    }
    this.#events.push(event);
    this.#bytes += bytes;
    this.#response = response ?? this.#response;
    if (this.#bytes >= flushBytes) this.#flushNow();
    else this.#timer ??= setTimeout(() => this.#flushNow(), flushAfterMs);
    while (this.#bytes > waitingBytesMax && this.#flushing !== undefined) await this.#flushing;
  }

  /** Resolves when the end is stored, with what came before. Never rejects. */
  async end(end: RunEnd): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#flushing !== undefined) await this.#flushing;
    while (this.#events.length > 0) await this.#flush();
    const { access, place } = this.#options;
    const { sealer } = access.objects;
    const isCut = end.isCut === true || this.#isGone;
    await this.#retry(endTries, () =>
      access.run((db) => endRun(db, sealer, place, { ...end, isCut })),
    );
  }

  /** What is added meanwhile follows at once. */
  #flushNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#flush().then(() => {
      this.#flushing = undefined;
      if (this.#events.length > 0) this.#flushNow();
    });
  }

  async #flush(): Promise<void> {
    const { events, bytes } = this.#takeRow();
    if (events.length === 0) return;
    const firstNumber = this.#number;
    // With the last of the events that wait: it is never ahead of them.
    const response = this.#events.length === 0 ? this.#response : undefined;
    this.#number += events.length;
    if (response !== undefined) this.#response = undefined;
    if (!this.#isGone) {
      const { access, place } = this.#options;
      const { sealer } = access.objects;
      const append = () =>
        access.run((db) => appendEvents(db, sealer, place, { firstNumber, events, response }));
      const state = await this.#retry(appendTries, append);
      this.#isGone = state === undefined || state === "gone";
      if (state === undefined) this.#options.stop(notStored());
      else if (state !== "running") this.#options.stop();
    }
    this.#bytes -= bytes;
  }

  /** The next events, as many as readers are to have in memory at once; one event is never cut. */
  #takeRow(): { readonly events: readonly string[]; readonly bytes: number } {
    let bytes = 0;
    let count = 0;
    while (count < this.#events.length && bytes < flushBytes) {
      bytes += Buffer.byteLength(this.#events[count] ?? "");
      count += 1;
    }
    return { events: this.#events.splice(0, count), bytes };
  }

  /** Undefined if it never succeeded. */
  async #retry<Result>(tries: number, work: () => Promise<Result>): Promise<Result | undefined> {
    const { log, place } = this.#options;
    for (let failures = 0; failures < tries; failures += 1) {
      try {
        return await work();
      } catch (thrown) {
        if (failures === 0)
          log.warn({ err: thrown, generationId: place.id }, "a run was not stored");
        await Bun.sleep(pauseMs);
      }
    }
    return undefined;
  }
}

function notStored(): Fault {
  return new Fault(
    "database_unavailable",
    "The events of this run could not be stored, so it was ended. What had arrived by then is billed.",
    { shouldRetry: false },
  );
}

function tooLarge(): Fault {
  const sentence = `The events of a run take at most ${runBytesMax / 1_048_576} MiB. What had arrived by then is billed.`;
  return new Fault("bad_gateway", sentence, { shouldRetry: false });
}
