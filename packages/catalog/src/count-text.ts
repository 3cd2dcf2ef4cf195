// Counts the tokens of a text in a thread of its own, so that the thread that serves calls never waits for a
// tokenizer. An upper estimate; a count that its caller no longer waits for ends.
import { Worker } from "node:worker_threads";
import { clientClosed } from "@turnpike/base";
import { type CountJob, countInTurns, type Encoding, type TextCount } from "./count-in-turns.ts";
import type { CountAnswer, CountQuestion } from "./count-thread.ts";
import type { Model } from "./model.ts";

/** For whom a text is counted. */
export type CountCaller = {
  /** Accounts take turns. */
  readonly accountId?: string;
  /** Ends the count when the caller has left. */
  readonly signal?: AbortSignal;
  /** Called with the milliseconds that the count took, also when its caller has left. */
  readonly onSpent?: (spentMs: number) => void;
};

export type CountOptions = CountCaller & {
  readonly encoding: Encoding;
  /** Counts no further than this many tokens. */
  readonly limit?: number;
  /** Counts the most tokens that any tokenizer makes of the text, for a model whose own is not known. */
  readonly isBound?: boolean;
};

/** The tokenizer to estimate with: that of most models if the model's own is not known. */
export function encodingOf({ tokenizer }: Model): Encoding {
  return tokenizer === "bytes" ? "o200k_base" : tokenizer;
}

/** Rejects with `client_closed_request` once `signal` aborts. */
export type CountText = (text: string, options: CountOptions) => Promise<number>;

type Waiting = PromiseWithResolvers<TextCount> & { readonly job: CountJob };

/** One thread, started when the first text is counted; `script` is replaced by tests. */
export function createTextCounter(
  script = new URL("./count-thread.ts", import.meta.url),
): CountText {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(script);
    started.on("message", ({ id, ...answer }: CountAnswer) => {
      const counting = waiting.get(id);
      if ("failure" in answer) counting?.reject(new Error(answer.failure));
      else counting?.resolve(answer);
    });
    const replace = () => {
      if (thread !== started) return;
      thread = undefined;
      // A bill may depend on them, so the texts of a thread that died are counted here.
      for (const { job, resolve, reject } of waiting.values()) {
        countInTurns(job).then(resolve, reject);
      }
    };
    started.on("error", replace);
    started.on("exit", replace);
    return started;
  }

  function send(question: CountQuestion): void {
    thread ??= start();
    // Only while it counts does the thread keep the process alive.
    thread.ref();
    thread.postMessage(question);
  }

  return async (text, options) => {
    const { encoding, limit = Number.POSITIVE_INFINITY, isBound = false } = options;
    const { accountId = "", signal, onSpent } = options;
    if (signal?.aborted) throw clientClosed();
    lastId += 1;
    const id = lastId;
    const job = { text, encoding, limit, account: accountId, isBound };
    const counting: Waiting = { ...Promise.withResolvers<TextCount>(), job };
    const cancel = () => send({ id });
    waiting.set(id, counting);
    send({ id, job });
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const { tokens, spentMs } = await counting.promise;
      onSpent?.(spentMs);
      if (signal?.aborted) throw clientClosed();
      return tokens;
    } finally {
      signal?.removeEventListener("abort", cancel);
      waiting.delete(id);
      if (waiting.size === 0) thread?.unref();
    }
  };
}

/** Of the process. */
export const countText = createTextCounter();
