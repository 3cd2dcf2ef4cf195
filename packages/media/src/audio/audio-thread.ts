// The thread that measures audio for others: what a hostile file makes it do ends with it.
import { readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { lowerThreadPriority } from "@turnpike/base";
import {
  type AudioFormat,
  type AudioMeasure,
  measureAudio,
  measureWavFile,
} from "./measure-audio.ts";
import { ownTime, type ThreadTime } from "./thread-time.ts";

export type AudioJob = {
  readonly format: AudioFormat;
  readonly size: number;
  /** The file, or a descriptor that this process keeps open until the answer. */
  readonly from: Uint8Array<ArrayBuffer> | number;
};

/** Before anything of a file is read. */
export type AudioStart = { readonly kind: "start"; readonly time: ThreadTime };
/** Undefined where the file could not be measured. */
export type AudioAnswer = { readonly kind: "answer"; readonly measure: AudioMeasure | undefined };

lowerThreadPriority();
silenceConsole();
parentPort?.on("message", (job: AudioJob) => void answer(job));

/** The library writes there what it does not know in a file: whatever callers send, in the log of the server. */
function silenceConsole(): void {
  for (const level of ["debug", "error", "info", "log", "warn"] as const) {
    console[level] = () => undefined;
  }
}

async function answer(job: AudioJob): Promise<void> {
  const start: AudioStart = { kind: "start", time: ownTime() };
  parentPort?.postMessage(start);
  const answered: AudioAnswer = { kind: "answer", measure: await tryMeasure(job) };
  parentPort?.postMessage(answered);
}

async function tryMeasure({ format, size, from }: AudioJob): Promise<AudioMeasure | undefined> {
  if (typeof from === "number" && format === "wav") {
    return measureWavFile({ size, read: (at, length) => readPart(from, at, length) });
  }
  const bytes = typeof from === "number" ? readPart(from, 0, size) : viewOf(from);
  try {
    return await measureAudio(bytes, format);
  } finally {
    // Frees it at once: a thread that waits for its next file collects no garbage.
    bytes.buffer.transfer(0);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function readPart(descriptor: number, at: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(length));
  let read = 0;
  while (read < length) {
    const count = readSync(descriptor, bytes, read, length - read, at + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}
