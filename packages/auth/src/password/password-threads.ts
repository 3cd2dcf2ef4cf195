// Threads that only hash passwords, started when the first one is needed. The runtime's own pool could
// do it, but there each hash would delay file reads and name lookups, and run at the same priority as
// paid calls.

import { Worker } from "node:worker_threads";

export type PasswordJob = {
  readonly password: string;
  /** To verify against; absent to make one. */
  readonly hash?: string;
  readonly memoryCost: number;
  readonly timeCost: number;
};

export type PasswordAnswer =
  | { readonly hash: string; readonly matches: boolean }
  | { readonly failure: string };

export type PasswordThreads = {
  /** As many concurrent jobs as callers start; rejects when its thread died. */
  readonly work: (job: PasswordJob) => Promise<{ hash: string; matches: boolean }>;
};

export function openPasswordThreads(): PasswordThreads {
  const idle: Worker[] = [];
  return {
    async work(job) {
      const thread = idle.pop() ?? new Worker(new URL("./password-thread.ts", import.meta.url));
      // Only a busy thread keeps the process alive.
      thread.ref();
      const answer = await ask(thread, job);
      thread.unref();
      idle.push(thread);
      if ("failure" in answer) throw new Error(answer.failure);
      return answer;
    },
  };
}

/** Rejects when the thread ends instead of answering; it is not used again. */
function ask(thread: Worker, job: PasswordJob): Promise<PasswordAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      thread.removeAllListeners();
      end();
    };
    thread.once("message", (answer: PasswordAnswer) => settle(() => resolve(answer)));
    thread.once("error", (error: Error) => settle(() => reject(error)));
    thread.once("exit", () => settle(() => reject(new Error("a hashing thread ended"))));
    thread.postMessage(job);
  });
}
