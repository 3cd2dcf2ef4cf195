// A thread as a hostile file could make it: it answers the first question, dies of a small file and never comes back from any
// other.
import { parentPort } from "node:worker_threads";
import type { AudioAnswer, AudioJob } from "./audio-thread.ts";

let isAsked = false;

parentPort?.on("message", ({ size }: AudioJob) => {
  if (size < 1_000) throw new Error("died of a small file");
  if (isAsked) for (;;);
  isAsked = true;
  const answered: AudioAnswer = { measure: { seconds: 1, boundSeconds: 2 } };
  parentPort?.postMessage(answered);
});
