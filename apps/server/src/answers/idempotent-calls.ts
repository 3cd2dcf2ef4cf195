// `Idempotency-Key`: however often a call is sent under one key, its upstream is called once and it is
// charged once. A repetition gets the answer of the first call, even while that one is still running and on
// any instance. Only a repetition that is sent after a stream broke off runs again, and its answer says so.
// A call under a key outlives its client, because the client is going to retry.
import {
  type AccountId,
  type ApiKeyId,
  Fault,
  formatGenerationId,
  type InstanceId,
} from "@turnpike/base";
import { type Answer, type EndSignal, type Principal, stoppedFault } from "@turnpike/gateway";
import { bodyToSend } from "./body-form.ts";
import { claimOrRerun, type FoundAnswer } from "./claim-or-rerun.ts";
import {
  type KeyedCall,
  type OwnedCall,
  type Run,
  type RunOptions,
  rowRoom,
  runOnce,
} from "./run-once.ts";
import { answerName, hashRequest, openAnswer } from "./seal-answer.ts";
import type { SharedConnections } from "./share-connections.ts";
import { type KnownAnswer, queryStopped } from "./stored-answers.ts";
import { storedMax } from "./stored-room.ts";
import { watchGone } from "./watch-gone.ts";
import { createRunningWatch, type Watch } from "./watch-running.ts";

const header = "Idempotency-Key";
const rerunHeader = "idempotent-rerun-of";
/** Answers are returned again for a day. */
const keepMs = 86_400_000;
/** No call runs longer than a quarter of an hour. */
const waitMaxMs = 960_000;
/** Calls of one API key that may wait for others; each holds its body in memory meanwhile. */
const waitersMax = 50;

export type OnceOptions = RunOptions & {
  readonly database: SharedConnections;
  readonly instanceId: InstanceId;
  readonly silentMs: number;
  readonly endSignal: EndSignal;
};

/** What a call under a key must do: return the answer of an earlier call, or run. */
export type Entry =
  | { readonly kind: "repeat"; readonly answer: Answer }
  | { readonly kind: "run"; readonly complete: (run: Run) => Promise<Answer> };

export type IdempotentCalls = {
  /**
   * Waits while another call under the same key runs. Rejects with `conflict` for a key that was used
   * with another request, with `client_closed_request`, or with the database's error.
   */
  readonly enter: (keyed: KeyedCall) => Promise<Entry>;
  /** Runs under the key if no other call has it, runs or has run; undefined otherwise. Rejects as `enter` does. */
  readonly enterIfFree: (keyed: KeyedCall) => Promise<Entry | undefined>;
  /** Resolves when every completed answer is stored. */
  readonly settled: () => Promise<void>;
};

/** A name that a call of this process claims or runs under. */
type Occupied = {
  readonly requestHash: Uint8Array;
  /** Resolves when the name is free, with the answer if one is known. */
  readonly left: Promise<KnownAnswer | undefined>;
};

export function createIdempotentCalls(options: OnceOptions): IdempotentCalls {
  const { database, instanceId, silentMs } = options;
  const watchRunning = createRunningWatch({ database, instanceId, silentMs });
  /** By name, in hex. */
  const occupied = new Map<string, Occupied>();

  async function claim(keyed: KeyedCall, row: RowOfCall): Promise<Entry | undefined> {
    const leave = occupy(occupied, row);
    const { generationId, principal, receivedAtMs } = keyed.call;
    const { accountId } = principal;
    const mayInsert = await options.room.take(accountId, "once", rowRoom);
    let found: FoundAnswer | undefined;
    try {
      const { id, requestHash } = row;
      const terms = { accountId, instanceId, keepMs: keyed.keepMs ?? keepMs, silentMs, mayInsert };
      const named = { ...terms, id, requestHash, generationId };
      found = await database.runQuery(accountId, (sql) =>
        claimOrRerun(sql, keyed, { ...named, waitedMs: performance.now() - receivedAtMs }),
      );
    } finally {
      if (found?.state !== "claimed") {
        if (mayInsert) options.room.giveBack(accountId, "once", rowRoom);
        leave(isKnown(found) ? found : undefined);
      }
    }
    if (found.state === "running") return undefined;
    if (found.state !== "claimed") return repeat(keyed, row, requireKnown(found));
    return runOf(options, { ...keyed, id: row.id, leave, rerunOf: found.rerunOf });
  }

  const startWaiting = createWaitingLimit();

  /** Undefined while another call runs under the name. */
  async function look(keyed: KeyedCall, row: RowOfCall): Promise<Entry | undefined> {
    const first = occupied.get(row.name);
    if (first === undefined) return claim(keyed, row);
    checkSame(first, row);
    return undefined;
  }

  /** Waits until the call under the name has ended or may have; returns its answer if known. */
  async function awaitChange(
    row: RowOfCall,
    gone: Promise<Fault>,
  ): Promise<KnownAnswer | undefined> {
    const first = occupied.get(row.name);
    let watch: Watch | undefined;
    if (first === undefined) watch = watchRunning(row.name);
    else checkSame(first, row);
    try {
      const ended = first?.left ?? watch?.changed;
      const known = await Promise.race([gone, ended]);
      if (known instanceof Fault) throw known;
      return known ?? undefined;
    } finally {
      watch?.unwatch();
    }
  }

  async function wait(keyed: KeyedCall, row: RowOfCall): Promise<Entry> {
    const stopWaiting = startWaiting(keyed.call.principal);
    keyed.onWait();
    const gone = watchGone(keyed.signal, options.endSignal.current);
    const giveUpAtMs = performance.now() + waitMaxMs;
    let checked = occupied.has(row.name) ? checkStopped(database, keyed) : undefined;
    try {
      for (;;) {
        const [known] = await Promise.all([awaitChange(row, gone.promise), checked]);
        checked = undefined;
        if (known !== undefined) return repeat(keyed, row, known);
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
    async enterIfFree(keyed) {
      const row = describeRow(keyed);
      const entry = occupied.has(row.name) ? undefined : await claim(keyed, row);
      return entry?.kind === "run" ? entry : undefined;
    },
    async settled() {
      while (occupied.size > 0) await Promise.all([...occupied.values()].map(({ left }) => left));
    },
  };
}

/** The name belongs to this call until the returned function is called. */
function occupy(
  occupied: Map<string, Occupied>,
  { name, requestHash }: RowOfCall,
): (known: KnownAnswer | undefined) => void {
  const { promise: left, resolve } = Promise.withResolvers<KnownAnswer | undefined>();
  occupied.set(name, { requestHash, left });
  return (known) => {
    occupied.delete(name);
    resolve(known);
  };
}

/**
 * The returned function throws if the payer has no place for one more; the function it returns
 * frees the place.
 */
function createWaitingLimit(): (payer: Pick<Principal, "accountId" | "keyId">) => () => void {
  const waiting = new Map<ApiKeyId | AccountId, number>();
  return ({ keyId, accountId }) => {
    const payer = keyId ?? accountId;
    const before = waiting.get(payer) ?? 0;
    if (before >= waitersMax) throw stillRunning();
    waiting.set(payer, before + 1);
    return () => {
      const left = (waiting.get(payer) ?? 1) - 1;
      if (left === 0) waiting.delete(payer);
      else waiting.set(payer, left);
    };
  };
}

/** Throws if the account may not call. One that waits for another instance was checked with the row. */
async function checkStopped(database: SharedConnections, { call }: KeyedCall): Promise<undefined> {
  const { accountId } = call.principal;
  const stopped = await database.runQuery(accountId, (sql) => queryStopped(sql, accountId));
  if (stopped !== undefined) throw stoppedFault(stopped);
}

type RowOfCall = {
  readonly id: Uint8Array;
  /** The id in hex. */
  readonly name: string;
  readonly requestHash: Uint8Array;
};

function describeRow({ call, apiKey, idempotencyKey, language, text }: KeyedCall): RowOfCall {
  const id = answerName(apiKey, `${header}\0${idempotencyKey}`);
  const requestHash = hashRequest(apiKey, call.operation, language, text);
  return { id, name: Buffer.from(id).toString("hex"), requestHash };
}

function isKnown(found: FoundAnswer | undefined): found is KnownAnswer {
  return found?.state === "kept" || found?.state === "not_kept";
}

/** The answer names `rerunOf`, an earlier call under the same key that was charged for an answer that broke off. */
function runOf(options: OnceOptions, owned: OwnedCall): Entry {
  const { rerunOf } = owned;
  return {
    kind: "run",
    async complete(run) {
      const answer = await runOnce(options, owned, run);
      if (rerunOf === undefined) return answer;
      const headers = {
        ...answer.headers,
        [rerunHeader]: formatGenerationId(rerunOf.generationId),
      };
      return { ...answer, headers };
    },
  };
}

function requireKnown(found: Exclude<FoundAnswer, { readonly state: "claimed" | "running" }>) {
  switch (found.state) {
    case "full":
      throw tooManyKeys();
    case "other_request":
      throw otherRequest();
    case "suspended":
    case "frozen":
      throw stoppedFault(found.state);
    default:
      return found;
  }
}

function checkSame(first: Occupied, { requestHash }: RowOfCall): void {
  if (Buffer.compare(first.requestHash, requestHash) !== 0) throw otherRequest();
}

function repeat({ apiKey }: KeyedCall, { id }: RowOfCall, found: KnownAnswer): Entry {
  const generation = formatGenerationId(found.generationId);
  if (found.state === "not_kept") {
    throw new Fault(
      "conflict",
      `The request under this '${header}' was charged, but its answer was not kept. See ${generation} for its cost.`,
      { param: header, shouldRetry: false, metadata: { generation_id: generation } },
    );
  }
  const { headers, body } = openAnswer(apiKey, id, found.sealed);
  const own = { "idempotent-replayed": "true", "x-generation-id": generation };
  const answer = {
    headers: { ...headers, ...own },
    body: bodyToSend(headers, body),
    sent: undefined,
  };
  return { kind: "repeat", answer };
}

function otherRequest(): Fault {
  return new Fault(
    "conflict",
    `This '${header}' was used with another request. Use a new key for each new request.`,
    { param: header, shouldRetry: false },
  );
}

function tooManyKeys(): Fault {
  const most = storedMax.once.rows.toLocaleString("en");
  return new Fault(
    "rate_limit_exceeded",
    `This account has used ${most} values of '${header}' within 24 hours, which is the limit. Please try again later.`,
    { param: header, retryAfterMs: 60_000 },
  );
}

function stillRunning(): Fault {
  return new Fault("conflict", `The first request under this '${header}' is still running.`, {
    param: header,
    shouldRetry: true,
    retryAfterMs: 5_000,
  });
}
