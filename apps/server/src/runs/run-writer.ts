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
const endTries = 1_200;

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
  #isGone = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get nextNumber(): number {
    return this.#number + this.#events.length;
  }

  /** The first event says with which number a run begins. */
  startAt(number: number): void {
    if (this.#totalBytes === 0) this.#number = number;
  }

  /** Resolves when the next one may follow. `response` is the response as it is read from now on. */
  async add(event: string, response?: string): Promise<void> {
    const bytes = Buffer.byteLength(event);
    this.#totalBytes += bytes;
    if (this.#totalBytes > runBytesMax) throw tooLarge();
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
    await this.#flush();
    const { access, place } = this.#options;
    const { sealer } = access.objects;
    await this.#retry(endTries, () => access.run((db) => endRun(db, sealer, place, end)));
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
    const events = this.#events;
    const bytes = this.#bytes;
    if (events.length === 0) return;
    const firstNumber = this.#number;
    const response = this.#response;
    this.#events = [];
    this.#number += events.length;
    this.#response = undefined;
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
