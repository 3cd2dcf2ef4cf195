// Measures uploaded audio for holds and bills, in at most two threads. A file that takes too long, or that no library reads,
// is held for as the longest its bytes could be: nothing of what a caller sends keeps it from being answered.
import { closeSync, openSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { clientClosed } from "@turnpike/base";
import { requireFormat } from "../content/media-format.ts";
import type { AudioAnswer, AudioJob } from "./audio-thread.ts";
import { type AudioFormat, type AudioMeasure, secondsOfBytes } from "./measure-audio.ts";

/** A file as it is kept until its call ends. */
export type AudioFile = {
  readonly size: number;
  /** Its first bytes, at least 4 KiB of them. */
  readonly head: Uint8Array;
  readonly place:
    | { readonly kind: "memory"; readonly chunks: readonly Uint8Array[] }
    | { readonly kind: "file"; readonly descriptor: number };
};

export type AudioDuration = {
  readonly format: AudioFormat;
  /** Whether it was measured; otherwise both are the most its bytes could be. */
  readonly isMeasured: boolean;
  /** To bill where a provider reports nothing. */
  readonly durationMs: number;
  /** To hold for: not less. */
  readonly holdMs: number;
};

export type AudioRequest = {
  readonly param: string;
  readonly formats: readonly AudioFormat[];
  /** Ends the measuring when the caller has left. */
  readonly signal?: AbortSignal;
};

export type AudioMeter = {
  /** Throws `invalid_audio`, which names the field, and `client_closed_request`. */
  measure(file: AudioFile, request: AudioRequest): Promise<AudioDuration>;
  /** Ends the threads; what they measure is answered as if it took too long. */
  close(): Promise<void>;
};

export type MeterOptions = {
  readonly threadsMax?: number;
  /** Of one file, from when its thread has it. */
  readonly timeoutMs?: number;
  /** What is larger is not measured: a thread holds it whole. */
  readonly fileMaxBytes?: number;
  /** Replaced by tests. */
  readonly script?: URL;
};

const mebibyte = 1024 * 1024;

export function openAudioMeter({
  threadsMax = 2,
  timeoutMs = 5_000,
  fileMaxBytes = 32 * mebibyte,
  script = new URL("./audio-thread.ts", import.meta.url),
}: MeterOptions = {}): AudioMeter {
  const pool = new ThreadPool(threadsMax, script);
  return {
    async measure(file, { param, formats, signal }) {
      const format = requireFormat(file.head, formats, param);
      if (file.size > fileMaxBytes) return unmeasured(format, file.size);
      const thread = await pool.take();
      try {
        if (signal?.aborted) throw clientClosed();
        const measure = await ask(thread, { file, format, timeoutMs, signal });
        return measure ? measured(format, measure) : unmeasured(format, file.size);
      } finally {
        pool.give(thread);
      }
    },
    close: () => pool.close(),
  };
}

function measured(format: AudioFormat, { seconds, boundSeconds }: AudioMeasure): AudioDuration {
  const durationMs = wholeMs(seconds);
  const holdMs = Math.max(durationMs, wholeMs(boundSeconds));
  return { format, isMeasured: true, durationMs, holdMs };
}

function unmeasured(format: AudioFormat, size: number): AudioDuration {
  const holdMs = wholeMs(secondsOfBytes(size));
  return { format, isMeasured: false, durationMs: holdMs, holdMs };
}

/** Rounded up, but not for what a sum of fractions is off. */
function wholeMs(seconds: number): number {
  return Math.ceil(Math.round(seconds * 1_000_000) / 1_000);
}

type Question = {
  readonly file: AudioFile;
  readonly format: AudioFormat;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/** A place in the pool; its thread is started when it is needed, and again after it was ended. */
type Thread = { running: RunningThread | undefined };
type RunningThread = { readonly worker: Worker; readonly exited: Promise<void> };

/** Undefined where the file cannot be measured in time. Rejects with `client_closed_request` once the signal aborts. */
async function ask(thread: Thread, question: Question): Promise<AudioMeasure | undefined> {
  const { file, format, timeoutMs, signal } = question;
  const worker = thread.running?.worker;
  if (worker === undefined) return undefined;
  const { job, transfers, close } = jobOf(file, format);
  const { promise, resolve, reject } = Promise.withResolvers<AudioAnswer | undefined>();
  const end = () => resolve(undefined);
  const leave = () => reject(clientClosed());
  const timer = setTimeout(end, timeoutMs);
  worker.on("message", resolve).on("error", end).on("exit", end);
  signal?.addEventListener("abort", leave, { once: true });
  let answer: AudioAnswer | undefined;
  try {
    // Only while it measures does the thread keep the process alive.
    worker.ref();
    worker.postMessage(job, transfers);
    answer = await promise;
    return answer?.measure;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
    worker.off("message", resolve).off("error", end).off("exit", end);
    worker.unref();
    if (answer) close();
    // Nobody waits for its end; until then it may still read the file.
    else void endThread(thread).then(close);
  }
}

/** One that fails while nothing is asked of it is noticed by the next question, which is not answered. */
function startThread(script: URL): RunningThread {
  const worker = new Worker(script).on("error", () => undefined);
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  return { worker, exited };
}

async function endThread(thread: Thread): Promise<void> {
  const { running } = thread;
  thread.running = undefined;
  // It may have ended by itself at the same time.
  if (running) await Promise.race([running.worker.terminate(), running.exited]);
}

type SentJob = {
  readonly job: AudioJob;
  readonly transfers: ArrayBuffer[];
  readonly close: () => void;
};

/** The thread gets a copy of what is in memory, and reads a file itself. */
function jobOf({ size, place }: AudioFile, format: AudioFormat): SentJob {
  if (place.kind === "file") {
    // A separate descriptor: the call may close its own while the thread still reads.
    const from = openSync(`/dev/fd/${place.descriptor}`, "r");
    return { job: { format, size, from }, transfers: [], close: () => closeSync(from) };
  }
  const copy = new ArrayBuffer(size);
  const from = new Uint8Array(copy);
  let at = 0;
  for (const chunk of place.chunks) {
    from.set(chunk, at);
    at += chunk.byteLength;
  }
  return { job: { format, size, from }, transfers: [copy], close: () => undefined };
}

class ThreadPool {
  readonly #script: URL;
  readonly #threads: readonly Thread[];
  readonly #idle: Thread[];
  readonly #waiting: ((thread: Thread) => void)[] = [];
  #isClosed = false;

  constructor(threadsMax: number, script: URL) {
    this.#script = script;
    this.#threads = Array.from({ length: threadsMax }, () => ({ running: undefined }));
    this.#idle = [...this.#threads];
  }

  async take(): Promise<Thread> {
    const thread =
      this.#idle.pop() ?? (await new Promise<Thread>((resolve) => this.#waiting.push(resolve)));
    if (!this.#isClosed) thread.running ??= startThread(this.#script);
    return thread;
  }

  give(thread: Thread): void {
    const next = this.#waiting.shift();
    if (next) next(thread);
    else this.#idle.push(thread);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map(endThread));
  }
}
