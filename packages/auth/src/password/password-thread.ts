// The hashing thread: runs one job at a time, at a lower priority than the threads that serve calls
// if the operating system has thread priorities. It never blocks the event loop of the server.

import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { PasswordAnswer, PasswordJob } from "./password-threads.ts";

/** Added to the niceness of the process: under load it gets a third of the share, so logins slow down but proceed. */
const extraNiceness = 5;

yieldToOthers();
parentPort?.on("message", (job: PasswordJob) => parentPort?.postMessage(work(job)));

function work({ password, hash, memoryCost, timeCost }: PasswordJob): PasswordAnswer {
  try {
    if (hash !== undefined) return { hash, matches: matches(password, hash) };
    const made = Bun.password.hashSync(password, { algorithm: "argon2id", memoryCost, timeCost });
    return { hash: made, matches: true };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

const malformed: ReadonlySet<unknown> = new Set([
  "PASSWORD_UNSUPPORTED_ALGORITHM",
  "PASSWORD_INVALID_ENCODING",
  "PASSWORD_WEAK_PARAMETERS",
]);

/** No password matches a malformed hash: its owner has to reset the password. */
function matches(password: string, hash: string): boolean {
  try {
    return Bun.password.verifySync(password, hash);
  } catch (error) {
    if (error instanceof Error && "code" in error && malformed.has(error.code)) return false;
    throw error;
  }
}

function yieldToOthers(): void {
  try {
    // On Linux each thread has an id that takes a priority; elsewhere the path does not exist.
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (id !== process.pid) setPriority(id, Math.min(getPriority(process.pid) + extraNiceness, 19));
  } catch {
    // Hashing works without it.
  }
}
