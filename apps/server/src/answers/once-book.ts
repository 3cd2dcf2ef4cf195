// `Idempotency-Key`: however often a call is sent under one key, its upstream is asked once and it is
// charged once. A repetition gets the answer of the first, also while that one still runs and on any
// instance. A call under a key outlives its client, because the client is going to ask again.
import { Fault, formatGenerationId, type InstanceId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import type { Answer, AuthenticatedCall } from "@turnpike/gateway";
import type { Log } from "@turnpike/telemetry";
import { type CapturedAnswer, captureAnswer } from "./capture-answer.ts";
import { answerName, hashRequest, type KeptAnswer, openAnswer, sealAnswer } from "./seal-answer.ts";
import { type ClaimedAnswer, claimAnswer, forgetAnswer, keepAnswer } from "./stored-answers.ts";

const header = "Idempotency-Key";
/** Answers are given again for a day. */
const keepMs = 86_400_000;
/** Between two looks at a call that runs on another instance. */
const lookEveryMs = 300;
/** No call runs longer than a quarter of an hour. */
const waitMaxMs = 960_000;

export type OnceOptions = {
  readonly sql: Sql;
  readonly instanceId: InstanceId;
  readonly silentMs: number;
  readonly log: Log;
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

  return {
    async enter(keyed) {
      const row = describeRow(keyed);
      const giveUpAtMs = performance.now() + waitMaxMs;
      for (;;) {
        const first = occupied.get(row.name);
        if (first === undefined) {
          const entry = await claim(keyed, row);
          if (entry !== "running") return entry;
        } else if (Buffer.compare(first.requestHash, row.requestHash) !== 0) throw otherRequest();
        if (performance.now() > giveUpAtMs) throw stillRunning();
        await (first?.left ?? Bun.sleep(lookEveryMs));
        if (keyed.signal.aborted) {
          throw new Fault("client_closed_request", "The client closed the request.");
        }
      }
    },
    async settled() {
      await Promise.all([...occupied.values()].map(({ left }) => left));
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
async function runOnce(
  options: Pick<OnceOptions, "sql" | "log">,
  owned: OwnedCall,
  run: Run,
): Promise<Answer> {
  let captured: CapturedAnswer;
  try {
    captured = captureAnswer(await run(new AbortController().signal));
  } catch (thrown) {
    await store(options, owned, undefined);
    throw thrown;
  }
  const { answer, kept } = captured;
  const stored = kept.then((copy) => store(options, owned, copy));
  if (typeof answer.body === "string") await stored;
  return answer;
}

/** Undefined is no whole answer: the next call under the name runs. Never rejects. */
async function store(
  { sql, log }: Pick<OnceOptions, "sql" | "log">,
  { id, apiKey, call, leave }: OwnedCall,
  answer: KeptAnswer | "too_large" | undefined,
): Promise<void> {
  const { generationId } = call;
  const row = { id, generationId };
  try {
    if (answer === undefined) await forgetAnswer(sql, row);
    else if (answer === "too_large") await keepAnswer(sql, row, undefined);
    else await keepAnswer(sql, row, sealAnswer(apiKey, id, answer));
  } catch (error) {
    log.warn({ err: error, generationId }, "answer not stored");
  }
  leave();
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
