// `Idempotency-Key`: however often a call is sent under one key, its upstream is asked once and it is
// charged once. A repetition gets the answer of the first, also while that one still runs and on any
// instance. A call under a key outlives its client, because the client is going to ask again.
import {
  type AccountId,
  type ApiKeyId,
  Fault,
  formatGenerationId,
  type InstanceId,
} from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import type {
  Answer,
  AuthenticatedCall,
  BackgroundCalls,
  LeaveBackground,
  Principal,
} from "@turnpike/gateway";
import type { Log } from "@turnpike/telemetry";
import { type AnswerCopy, type CapturedAnswer, captureAnswer } from "./capture-answer.ts";
import { answerName, hashRequest, openAnswer, sealAnswer } from "./seal-answer.ts";
import { type ClaimedAnswer, claimAnswer, forgetAnswer, keepAnswer } from "./stored-answers.ts";
import { watchGone } from "./watch-gone.ts";

const header = "Idempotency-Key";
/** Answers are given again for a day. */
const keepMs = 86_400_000;
/** Between two looks at a call that runs on another instance: from the first to the second, doubling. */
const lookEveryMs = 300;
const lookEveryMaxMs = 3_000;
/** No call runs longer than a quarter of an hour. */
const waitMaxMs = 960_000;
/** Calls of one API key that may wait for others; each keeps its body meanwhile. */
const waitersMax = 50;
/** Tries to store an answer, with growing pauses: about a minute and a half. */
const storeTries = 20;
const storePauseMaxMs = 5_000;

export type OnceOptions = {
  readonly sql: Sql;
  readonly instanceId: InstanceId;
  readonly silentMs: number;
  readonly log: Log;
  /** Bounds calls that run on without their client. */
  readonly background: Pick<BackgroundCalls, "enter">;
  /** Aborts when running answers must end. */
  readonly endSignal: () => AbortSignal;
};

export type KeyedCall = {
  readonly call: AuthenticatedCall;
  /** The secret that the caller presented. */
  readonly apiKey: string;
  readonly idempotencyKey: string;
  readonly language: string;
  readonly text: string;
  /** Aborts when this caller hangs up. */
  readonly signal: AbortSignal;
};

type Run = (signal: AbortSignal) => Promise<Answer>;

/** What a call under a key is to do: give the answer of an earlier one, or run. */
export type Entry =
  | { readonly kind: "repeat"; readonly answer: Answer }
  | { readonly kind: "run"; readonly complete: (run: Run) => Promise<Answer> };

export type OnceBook = {
  /**
   * Waits while another call under the same key runs. Rejects with `conflict` for a key that was used
   * with another request, with `client_closed_request`, or with what the database says.
   */
  readonly enter: (keyed: KeyedCall) => Promise<Entry>;
  /** Resolves when every answer that has ended is stored. */
  readonly settled: () => Promise<void>;
};

/** A name that a call of this process claims or runs under. */
type Occupied = { readonly requestHash: Uint8Array; readonly left: Promise<void> };

export function openOnceBook(options: OnceOptions): OnceBook {
  const { sql, instanceId, silentMs } = options;
  /** By name, in hex. */
  const occupied = new Map<string, Occupied>();

  /** The name is this call's until the function that is returned was called. */
  function occupy(name: string, requestHash: Uint8Array): () => void {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    occupied.set(name, { requestHash, left });
    return () => {
      occupied.delete(name);
      resolve();
    };
  }

  async function claim(keyed: KeyedCall, row: RowOfCall): Promise<Entry | "running"> {
    const leave = occupy(row.name, row.requestHash);
    const { generationId, principal } = keyed.call;
    let found: ClaimedAnswer | undefined;
    try {
      const { id, requestHash } = row;
      const { accountId } = principal;
      const claimed = { id, accountId, requestHash, generationId, instanceId, keepMs, silentMs };
      found = await claimAnswer(sql, claimed);
    } finally {
      if (found?.state !== "claimed") leave();
    }
    if (found.state === "running") return "running";
    if (found.state !== "claimed") return { kind: "repeat", answer: repeat(keyed, row.id, found) };
    return {
      kind: "run",
      complete: (run) => runOnce(options, { ...keyed, id: row.id, leave }, run),
    };
  }

  /** How many calls of a payer wait for others. */
  const waiters = new Map<ApiKeyId | AccountId, number>();

  /** Throws where the payer has no place for one more; the function that is returned gives it back. */
  function startWaiting({ keyId, accountId }: Principal): () => void {
    const payer = keyId ?? accountId;
    const waiting = waiters.get(payer) ?? 0;
    if (waiting >= waitersMax) throw stillRunning();
    waiters.set(payer, waiting + 1);
    return () => {
      const left = (waiters.get(payer) ?? 1) - 1;
      if (left === 0) waiters.delete(payer);
      else waiters.set(payer, left);
    };
  }

  /** Undefined while another call runs under the name. */
  async function look(keyed: KeyedCall, row: RowOfCall): Promise<Entry | undefined> {
    const first = occupied.get(row.name);
    if (first === undefined) {
      const entry = await claim(keyed, row);
      return entry === "running" ? undefined : entry;
    }
    if (Buffer.compare(first.requestHash, row.requestHash) !== 0) throw otherRequest();
    return undefined;
  }

  async function wait(keyed: KeyedCall, row: RowOfCall): Promise<Entry> {
    const stopWaiting = startWaiting(keyed.call.principal);
    const gone = watchGone(keyed.signal, options.endSignal());
    const giveUpAtMs = performance.now() + waitMaxMs;
    try {
      for (let lookMs = lookEveryMs; ; lookMs = Math.min(lookMs * 2, lookEveryMaxMs)) {
        const first = occupied.get(row.name)?.left ?? Bun.sleep(lookMs);
        const fault = await Promise.race([gone.promise, first]);
        if (fault !== undefined) throw fault;
        const entry = await look(keyed, row);
        if (entry !== undefined) return entry;
        if (performance.now() > giveUpAtMs) throw stillRunning();
      }
    } finally {
      gone.unwatch();
      stopWaiting();
    }
  }

  return {
    async enter(keyed) {
      const row = describeRow(keyed);
      return (await look(keyed, row)) ?? wait(keyed, row);
    },
    async settled() {
      while (occupied.size > 0) await Promise.all([...occupied.values()].map(({ left }) => left));
    },
  };
}

type RowOfCall = {
  readonly id: Uint8Array;
  /** The id in hex. */
  readonly name: string;
  readonly requestHash: Uint8Array;
};

function describeRow({ call, apiKey, idempotencyKey, language, text }: KeyedCall): RowOfCall {
  const id = answerName(apiKey, `${header}\0${idempotencyKey}`);
  const requestHash = hashRequest(call.operation, language, text);
  return { id, name: Buffer.from(id).toString("hex"), requestHash };
}

type OwnedCall = KeyedCall & { readonly id: Uint8Array; readonly leave: () => void };

/** Runs a call whose name is claimed; its answer is stored before it has left the name. */
async function runOnce(options: OnceOptions, owned: OwnedCall, run: Run): Promise<Answer> {
  const stay = outliveClient(options, owned);
  let captured: CapturedAnswer;
  try {
    captured = captureAnswer(await run(stay.signal));
  } catch (thrown) {
    stay.end();
    const isPaid = thrown instanceof Fault && thrown.details.isChargePending === true;
    await store(options, owned, isPaid ? "not_kept" : undefined);
    throw thrown;
  }
  const { answer, kept } = captured;
  const stored = kept.then((copy) => {
    stay.end();
    return store(options, owned, copy);
  });
  if (typeof answer.body === "string") await stored;
  return answer;
}

type Stay = { readonly signal: AbortSignal; readonly end: () => void };

/** The signal of a call that goes on when its client leaves, as long as there is room for such calls. */
function outliveClient({ background }: OnceOptions, { call, text, signal }: OwnedCall): Stay {
  const cut = new AbortController();
  let leave: LeaveBackground | undefined;
  const onLeave = () => {
    leave = background.enter(call.principal.accountId, text.length);
    if (leave === undefined) cut.abort();
  };
  if (signal.aborted) onLeave();
  else signal.addEventListener("abort", onLeave, { once: true });
  return {
    signal: cut.signal,
    end() {
      signal.removeEventListener("abort", onLeave);
      leave?.("upstream");
    },
  };
}

/**
 * Undefined is no answer that is paid for: the next call under the name runs. Where the database does not
 * take it, further tries follow in the background, and the name stays occupied: others wait for the row, and
 * one that stays unfinished would let the call run a second time. Never rejects.
 */
async function store(
  { sql, log }: Pick<OnceOptions, "sql" | "log">,
  { id, apiKey, call, leave }: OwnedCall,
  answer: AnswerCopy,
): Promise<void> {
  const row = { id, generationId: call.generationId };
  const isKept = answer !== undefined && answer !== "not_kept";
  const sealed = isKept ? sealAnswer(apiKey, id, answer) : undefined;
  const tryOnce = async () => {
    try {
      await (answer === undefined ? forgetAnswer(sql, row) : keepAnswer(sql, row, sealed));
      return true;
    } catch (error) {
      log.warn({ err: error, generationId: call.generationId }, "answer not stored");
      return false;
    }
  };
  if (await tryOnce()) leave();
  else void tryAgain(tryOnce).then(leave);
}

async function tryAgain(tryOnce: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; tries <= storeTries; tries += 1) {
    await Bun.sleep(Math.min(100 * 2 ** tries, storePauseMaxMs));
    if (await tryOnce()) return;
  }
}

type Known = Exclude<ClaimedAnswer, { readonly state: "claimed" | "running" }>;

function repeat({ apiKey }: KeyedCall, id: Uint8Array, found: Known): Answer {
  if (found.state === "other_request") throw otherRequest();
  const generation = formatGenerationId(found.generationId);
  if (found.state === "not_kept") {
    throw new Fault(
      "conflict",
      `The request under this '${header}' was completed and charged, but its answer was not kept. See ${generation} for what it cost.`,
      { param: header, shouldRetry: false, metadata: { generation_id: generation } },
    );
  }
  const { headers, body } = openAnswer(apiKey, id, found.sealed);
  const own = { "idempotent-replayed": "true", "x-generation-id": generation };
  return { headers: { ...headers, ...own }, body, sent: undefined };
}

function otherRequest(): Fault {
  return new Fault(
    "conflict",
    `This '${header}' was used with another request. Use a new key for each new request.`,
    { param: header, shouldRetry: false },
  );
}

function stillRunning(): Fault {
  return new Fault("conflict", `The first request under this '${header}' is still running.`, {
    param: header,
    shouldRetry: true,
    retryAfterMs: 5_000,
  });
}
