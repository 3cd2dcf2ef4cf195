// Runs a call under an `Idempotency-Key` whose name it has claimed. It outlives its client, which is going
// to retry, and its answer is stored before its name is free.
import { Fault, type GenerationId } from "@turnpike/base";
import type {
  Answer,
  AuthenticatedCall,
  BackgroundCalls,
  LeaveBackground,
  Principal,
} from "@turnpike/gateway";
import type { Log } from "@turnpike/telemetry";
import { type AnswerCopy, type CapturedAnswer, captureAnswer } from "./capture-answer.ts";
import { sealAnswer } from "./seal-answer.ts";
import type { SharedConnections } from "./share-connections.ts";
import {
  type BrokenAnswer,
  forgetAnswer,
  type KnownAnswer,
  persistAnswer,
  restoreBroken,
} from "./stored-answers.ts";
import type { Room, StoredRoom } from "./stored-room.ts";

/** Tries to store an answer, with growing pauses: about a minute and a half. */
const storeTries = 20;
const storePauseMaxMs = 5_000;

export type RunOptions = {
  readonly database: Pick<SharedConnections, "write">;
  readonly log: Log;
  /** Bounds calls that continue without their client. */
  readonly background: Pick<BackgroundCalls, "enter">;
  readonly room: StoredRoom;
};

/** The space taken up by a name whose answer is not stored yet. */
export const rowRoom: Room = { rows: 1, bytes: 0 };

export type KeyedCall = {
  readonly call: Pick<AuthenticatedCall, "generationId" | "receivedAtMs"> & {
    readonly operation: string;
    readonly principal: Pick<Principal, "accountId" | "keyId">;
  };
  /** The secret that the caller presented. */
  readonly apiKey: string;
  readonly idempotencyKey: string;
  /** How long its answer is kept; by default a day. */
  readonly keepMs?: number;
  readonly language: string;
  readonly text: string;
  /** Aborts when this caller disconnects. */
  readonly signal: AbortSignal;
  /** Called when the call begins to wait for another: from then on its number is bounded here. */
  readonly onWait: () => void;
};

export type Run = (signal: AbortSignal) => Promise<Answer>;

/** A call that has claimed its name. */
export type OwnedCall = KeyedCall & {
  readonly id: Uint8Array;
  /** An earlier call under the name that was charged for an answer that broke off. */
  readonly rerunOf: BrokenAnswer | undefined;
  /** Frees the name, with the answer for the calls that wait for it. */
  readonly leave: (known: KnownAnswer | undefined) => void;
};

/** Resolves with what the client gets; the answer is stored before the name is free. */
export async function runOnce(options: RunOptions, owned: OwnedCall, run: Run): Promise<Answer> {
  const stay = outliveClient(options, owned);
  let captured: CapturedAnswer;
  try {
    captured = captureAnswer(await run(stay.signal));
  } catch (thrown) {
    stay.end();
    const isPaid = thrown instanceof Fault && thrown.details.isCharged === true;
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

/**
 * The signal of a call that continues when its client disconnects, as long as there is room for such
 * calls. A call without room is cut off; if that is charged, the name is kept, without an answer.
 */
function outliveClient({ background }: RunOptions, { call, text, signal }: OwnedCall): Stay {
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
 * Undefined means there is no answer that was paid for: the next call under the name runs. If the database
 * does not accept it, further tries follow in the background, and the name stays occupied: others wait
 * for the row, and a row that stays unfinished would let the call run a second time. Never rejects.
 */
async function store(
  { database, log, room }: RunOptions,
  { id, apiKey, call, leave, rerunOf }: OwnedCall,
  answer: AnswerCopy,
): Promise<void> {
  const { generationId, principal } = call;
  const { accountId } = principal;
  const row = { id, generationId };
  const isKept = answer !== undefined && answer !== "not_kept";
  let sealed = isKept ? sealAnswer(apiKey, id, { ...answer, generationId }) : undefined;
  const bytes = sealed?.byteLength ?? 0;
  if (answer === undefined) room.giveBack(accountId, "once", rowRoom);
  else if (!(await room.take(accountId, "once", { rows: 0, bytes }))) sealed = undefined;
  const tryOnce = async () => {
    try {
      await database.write(accountId, (sql) => {
        if (answer !== undefined) return persistAnswer(sql, row, sealed);
        return rerunOf === undefined ? forgetAnswer(sql, row) : restoreBroken(sql, row, rerunOf);
      });
      return true;
    } catch (error) {
      log.warn({ err: error, generationId }, "answer not stored");
      return false;
    }
  };
  const known = answer === undefined ? undefined : knownAnswer(generationId, sealed);
  if (await tryOnce()) leave(known);
  else void tryAgain(tryOnce).then(() => leave(known));
}

function knownAnswer(generationId: GenerationId, sealed: Uint8Array | undefined): KnownAnswer {
  return sealed === undefined
    ? { state: "not_kept", generationId }
    : { state: "kept", generationId, sealed };
}

async function tryAgain(tryOnce: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; tries <= storeTries; tries += 1) {
    await Bun.sleep(Math.min(100 * 2 ** tries, storePauseMaxMs));
    if (await tryOnce()) return;
  }
}
