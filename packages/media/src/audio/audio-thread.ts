// The thread that measures audio for others: what a hostile file makes it do ends with it.
import { readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { lowerThreadPriority } from "@turnpike/base";
import { type AudioFormat, type AudioMeasure, measureAudio } from "./measure-audio.ts";

export type AudioJob = {
  readonly format: AudioFormat;
  readonly size: number;
  /** The file, or a descriptor that this process keeps open until the answer. */
  readonly from: Uint8Array | number;
};

/** Undefined where the file could not be measured. */
export type AudioAnswer = { readonly measure: AudioMeasure | undefined };

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
  const answered: AudioAnswer = { measure: await tryMeasure(job) };
  parentPort?.postMessage(answered);
}

/** What a library throws for a file that it cannot read is of no known kind. */
async function tryMeasure({ format, size, from }: AudioJob): Promise<AudioMeasure | undefined> {
  try {
    return await measureAudio(
      typeof from === "number" ? readAll(from, size) : viewOf(from),
      format,
    );
  } catch {
    return undefined;
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function readAll(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let read = 0;
  while (read < size) {
    const count = readSync(descriptor, bytes, read, size - read, read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}
