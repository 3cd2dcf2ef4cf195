// A thread as a hostile file could make it: it answers the first question, dies of a small file and never comes back from any
// other. Of a large file it waits without computing, as on a machine that has no time for it.
import { parentPort } from "node:worker_threads";
import type { AudioAnswer, AudioJob, AudioStart } from "./audio-thread.ts";
import { ownTime } from "./thread-time.ts";

let isAsked = false;

parentPort?.on("message", ({ size }: AudioJob) => {
  if (size < 1_000) throw new Error("died of a small file");
  const start: AudioStart = { kind: "start", time: ownTime() };
  parentPort?.postMessage(start);
  if (size > 10_000) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (isAsked) for (;;);
  isAsked = true;
  const answered: AudioAnswer = { kind: "answer", measure: { seconds: 1, boundSeconds: 2 } };
  parentPort?.postMessage(answered);
});
