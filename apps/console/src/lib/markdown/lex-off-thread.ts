// Parses Markdown in a worker, one text after the other. A text that takes too long terminates its
// worker, the next one gets a new worker, and the page stays responsive.
import type { Token } from "marked";
import type { LexAnswer } from "./lex-worker.ts";

const timeLimitMs = 4_000;

type Job = { readonly text: string; readonly done: (tokens: readonly Token[] | undefined) => void };

const waiting: Job[] = [];
let thread: Worker | undefined;
let busy = false;

/** Undefined for a text beyond the limits or not parsed in time: show it as plain text. */
export function lexOffThread(text: string): Promise<readonly Token[] | undefined> {
  return new Promise((resolve) => {
    waiting.push({ text, done: resolve });
    workNext();
  });
}

function workNext(): void {
  if (busy) return;
  const job = waiting.shift();
  if (job === undefined) return;
  busy = true;
  void lexInWorker(job.text).then((tokens) => {
    busy = false;
    job.done(tokens);
    workNext();
  });
}

function lexInWorker(text: string): Promise<readonly Token[] | undefined> {
  return new Promise((resolve) => {
    const worker = startWorker();
    if (worker === undefined) return resolve(undefined);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (tokens: readonly Token[] | undefined, broken: boolean) => {
      clearTimeout(timer);
      worker.onmessage = null;
      worker.onerror = null;
      if (broken) {
        worker.terminate();
        thread = undefined;
      }
      resolve(tokens);
    };
    worker.onmessage = ({ data }: MessageEvent<LexAnswer>) => {
      if (data.kind === "begun") timer = setTimeout(() => end(undefined, true), timeLimitMs);
      else end(data.tokens, false);
    };
    worker.onerror = () => end(undefined, true);
    worker.postMessage(text);
  });
}

/** Undefined if workers are not available. */
function startWorker(): Worker | undefined {
  try {
    thread ??= new Worker(new URL("./lex-worker.ts", import.meta.url), { type: "module" });
  } catch {
    return undefined;
  }
  return thread;
}
