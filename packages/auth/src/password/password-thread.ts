// The hashing thread: runs one job at a time, at a lower priority than the threads that serve calls
// if the operating system has thread priorities. It never blocks the event loop of the server.

import { parentPort } from "node:worker_threads";
import { lowerThreadPriority } from "@turnpike/base";
import type { PasswordAnswer, PasswordJob } from "./password-threads.ts";

lowerThreadPriority();
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
