// The counting thread: counts the texts that other threads send it, accounts in turns, and never blocks the
// event loop of the server.
import { parentPort } from "node:worker_threads";
import { lowerThreadPriority } from "@turnpike/base";
import { type CountJob, countInTurns, type TextCount } from "./count-in-turns.ts";

/** A text to count, or without a job one that nobody waits for any more. */
export type CountQuestion = { readonly id: number; readonly job?: CountJob };
export type CountAnswer = { readonly id: number } & (TextCount | { readonly failure: string });

const cancelled = new Set<number>();

lowerThreadPriority();
parentPort?.on("message", (question: CountQuestion) => void answer(question));

async function answer({ id, job }: CountQuestion): Promise<void> {
  if (job === undefined) {
    cancelled.add(id);
    return;
  }
  try {
    send({ id, ...(await countInTurns(job, () => cancelled.has(id))) });
  } catch (error) {
    send({ id, failure: error instanceof Error ? error.message : String(error) });
  }
  cancelled.delete(id);
}

function send(answered: CountAnswer): void {
  parentPort?.postMessage(answered);
}
