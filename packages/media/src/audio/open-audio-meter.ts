// Measures uploaded audio for holds and bills, in at most two threads. An MP3 that takes too much computing, or that no library
// reads, is held for as the longest its bytes could be; other formats have codecs whose bytes bound nothing, and are refused
// then. Where the machine is too busy to compute, nothing is wrong with a file: its call may be tried again, and costs nothing.
import { closeSync, openSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { clientClosed, Fault, overloaded, shuttingDown } from "@turnpike/base";
import { requireFormat } from "../content/media-format.ts";
import type { AudioAnswer, AudioJob, AudioStart } from "./audio-thread.ts";
import { type AudioFormat, type AudioMeasure, secondsOfMp3 } from "./measure-audio.ts";
import { computedSince, type ThreadTime } from "./thread-time.ts";

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
  /** Whether it was measured; otherwise both are the most that the bytes of an MP3 can be. */
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
  /**
   * Throws `invalid_audio`, which names the field, also where it cannot be measured; `client_closed_request`; and where
   * nothing is wrong with the file, `overloaded` and `shutting_down`.
   */
  measure(file: AudioFile, request: AudioRequest): Promise<AudioDuration>;
  /** Ends the threads; what they measure is refused. */
  close(): Promise<void>;
};

export type MeterOptions = {
  readonly threadsMax?: number;
  /** For one file; beyond it, it cannot be measured. */
  readonly computingMaxMs?: number;
  /** For one file, from when its thread has it, whether it computes or the machine has no time for it. */
  readonly waitMaxMs?: number;
  /** What is larger is not measured: a thread holds it whole. */
  readonly fileMaxBytes?: number;
  /** Replaced by tests. */
  readonly script?: URL;
};

const mebibyte = 1024 * 1024;

export function openAudioMeter({
  threadsMax = 2,
  computingMaxMs = 5_000,
  waitMaxMs = 30_000,
  fileMaxBytes = 32 * mebibyte,
  script = new URL("./audio-thread.ts", import.meta.url),
}: MeterOptions = {}): AudioMeter {
  const pool = new ThreadPool(threadsMax, script);
  return {
    async measure(file, { param, formats, signal }) {
      const format = requireFormat(file.head, formats, param);
      if (file.size > fileMaxBytes) return unmeasured(format, file.size, param);
      const thread = await pool.take();
      try {
        if (signal?.aborted) throw clientClosed();
        const measure = await ask(thread, { file, format, computingMaxMs, waitMaxMs, signal });
        return measure ? measured(format, measure) : unmeasured(format, file.size, param);
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

/** Throws the Fault that names the field, unless the bytes say how long the sound is at most. */
function unmeasured(format: AudioFormat, size: number, param: string): AudioDuration {
  if (format !== "mp3") {
    const sentence = `Invalid '${param}': how long its sound lasts could not be measured. Send it as MP3, or as a WAV file without compression.`;
    throw new Fault("invalid_audio", sentence, { param });
  }
  const holdMs = wholeMs(secondsOfMp3(size));
  return { format, isMeasured: false, durationMs: holdMs, holdMs };
}

/** Rounded up, but not for what a sum of fractions is off. */
function wholeMs(seconds: number): number {
  return Math.ceil(Math.round(seconds * 1_000_000) / 1_000);
}

type Question = {
  readonly file: AudioFile;
  readonly format: AudioFormat;
  readonly computingMaxMs: number;
  readonly waitMaxMs: number;
  readonly signal: AbortSignal | undefined;
};

/** So that little computing that is left on a busy machine is not asked for without end. */
const computedEveryMs = 50;

/** A place in the pool; its thread is started when it is needed, and again after it has ended. */
type Thread = { running: RunningThread | undefined; isClosed: boolean };
type RunningThread = { readonly worker: Worker; readonly exited: Promise<void> };

/** Undefined where the file cannot be measured. Rejects with the Fault of what is not about the file. */
async function ask(thread: Thread, question: Question): Promise<AudioMeasure | undefined> {
  const { file, format, computingMaxMs, waitMaxMs, signal } = question;
  const worker = thread.running?.worker;
  if (worker === undefined) throw shuttingDown();
  const { job, transfers, close } = jobOf(file, format);
  const { promise, resolve, reject } = Promise.withResolvers<AudioAnswer | undefined>();
  const end = () => (thread.isClosed ? reject(shuttingDown()) : resolve(undefined));
  const leave = () => reject(clientClosed());
  const late = setTimeout(() => reject(overloaded("measuring")), waitMaxMs);
  let computing: NodeJS.Timeout | undefined;
  const watch = (time: ThreadTime) => {
    const leftMs = computingMaxMs - computedSince(time);
    if (leftMs <= 0) end();
    // A thread never computes for longer than the time that passes.
    else computing = setTimeout(watch, Math.max(leftMs, computedEveryMs), time);
  };
  const hear = (message: AudioStart | AudioAnswer) =>
    message.kind === "answer" ? resolve(message) : watch(message.time);
  worker.on("message", hear).on("error", end).on("exit", end);
  signal?.addEventListener("abort", leave, { once: true });
  let answer: AudioAnswer | undefined;
  try {
    // Only while it measures does the thread keep the process alive.
    worker.ref();
    worker.postMessage(job, transfers);
    answer = await promise;
    return answer?.measure;
  } finally {
    clearTimeout(late);
    clearTimeout(computing);
    signal?.removeEventListener("abort", leave);
    worker.off("message", hear).off("error", end).off("exit", end);
    worker.unref();
    if (answer) close();
    // Nobody waits for its end; until then it may still read the file.
    else void endThread(thread).then(close);
  }
}

/** One that fails while nothing is asked of it leaves its place to another. */
function startThread(thread: Thread, script: URL): RunningThread {
  const worker = new Worker(script).on("error", () => undefined);
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve())).then(() => {
    if (thread.running?.worker === worker) thread.running = undefined;
  });
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

  constructor(threadsMax: number, script: URL) {
    this.#script = script;
    this.#threads = Array.from({ length: threadsMax }, () => ({
      running: undefined,
      isClosed: false,
    }));
    this.#idle = [...this.#threads];
  }

  async take(): Promise<Thread> {
    const thread =
      this.#idle.pop() ?? (await new Promise<Thread>((resolve) => this.#waiting.push(resolve)));
    if (!thread.isClosed) thread.running ??= startThread(thread, this.#script);
    return thread;
  }

  give(thread: Thread): void {
    const next = this.#waiting.shift();
    if (next) next(thread);
    else this.#idle.push(thread);
  }

  async close(): Promise<void> {
    for (const thread of this.#threads) thread.isClosed = true;
    await Promise.all(this.#threads.map(endThread));
  }
}
