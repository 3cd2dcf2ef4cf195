// What a hashing thread does: one job after the other, at a lower priority than the threads that
// answer calls where the system knows priorities of threads. It never shares the event loop.

import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { PasswordAnswer, PasswordJob } from "./password-threads.ts";

/** Against a busy process a third of its share: logins slow down, and do not starve. */
const niceness = 5;

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

/** No password matches a stored text that is not a hash: its owner resets it, as if forgotten. */
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
    // To Linux each thread is a process of its own here; elsewhere the path does not exist.
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (id !== process.pid) setPriority(id, niceness);
  } catch {
    // It hashes all the same.
  }
}
