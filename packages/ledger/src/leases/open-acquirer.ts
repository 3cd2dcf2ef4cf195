// Calls that no lease covers wait here for the database, in a group-commit queue. What it grants is
// added to the lease in memory; an answer that was lost retires the lease, whose close returns
// everything that the lost statement reserved.
import {
  type AccountId,
  type ApiKeyId,
  type Failpoint,
  type InstanceId,
  overloaded,
} from "@turnpike/base";
import type { Metrics } from "@turnpike/telemetry";
import { type BoundedConnection, openBoundedConnection } from "../batches/bounded-connection.ts";
import { classifyBatchFailure } from "../batches/classify-batch-failure.ts";
import { GroupCommitQueue } from "../batches/group-commit-queue.ts";
import type { Hold, HoldRequest } from "../hold.ts";
import { ledgerLimits, ledgerTimes } from "../ledger-bounds.ts";
import { isNearlyEmpty } from "../reservation.ts";
import {
  type Acquired,
  type AcquiredBatch,
  type Acquisition,
  acquireLeases,
} from "./acquire-leases.ts";
import { belongsTo, type Lease } from "./lease.ts";
import type { LeaseBook } from "./lease-book.ts";

export type AcquirerOptions = {
  readonly url: string;
  /** Connections for calls whose account is locked by another session. */
  readonly lockedAccountConnections: number;
  readonly instanceId: InstanceId;
  readonly book: LeaseBook;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  /** Instead of `ledgerTimes.holdMs`, and for the age at which a call is refused. */
  readonly holdMs?: number;
  readonly onWait?: (queue: "hold", waitMs: number) => void;
  readonly onFailure?: () => void;
};

/** A cold key costs an acquisition, of which more than half is the same however many calls share it. */
const pauseMaxMs = 4;

type Statement = {
  readonly requests: readonly HoldRequest[];
  readonly done: Promise<(Answer | "busy")[]>;
};
type Refused = Exclude<Acquired, { verdict: "held" }>;
type Answer = Hold | Refused;

export type Acquirer = {
  /** A hold, or why there is none. Rejects if the database did not respond. */
  readonly acquire: (request: HoldRequest) => Promise<Answer>;
  /** Resolves when the statements that are running now for an account, a key or any have been answered. */
  readonly whenAnswered: (id: AccountId | ApiKeyId | undefined) => Promise<void>;
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function openAcquirer(options: AcquirerOptions): Acquirer {
  const common = { url: options.url, lockTimeoutMs: ledgerTimes.lockMs };
  const { holdMs = ledgerTimes.holdMs, holdMs: ageMaxMs = ledgerTimes.holdAgeMs } = options;
  const main = openBoundedConnection({
    ...common,
    max: 1,
    deadlineMs: holdMs,
    applicationName: "turnpike acquire",
  });
  const side = openBoundedConnection({
    ...common,
    max: options.lockedAccountConnections,
    deadlineMs: Math.max(holdMs, ledgerTimes.holdAsideMs),
    applicationName: "turnpike acquire side",
  });
  const running = new Set<Statement>();
  const queue = new GroupCommitQueue<HoldRequest, Answer>({
    // The call owns the hold from here, however the rest of its batch ends.
    answer: (request) => retakeHold(options.book, request),
    run(requests, { wait }) {
      const statement = { requests, done: runBatch(options, wait ? side : main, requests, wait) };
      running.add(statement);
      return statement.done.finally(() => running.delete(statement));
    },
    accountOf: (request) => request.facts.accountId,
    batchMax: ledgerLimits.batch,
    pauseMaxMs,
    queueMax: ledgerLimits.queuedHolds,
    sideMax: options.lockedAccountConnections,
    ageMaxMs,
    classify: classifyBatchFailure,
    mayRetry: (failure, _request, { failures }) => failure === "unknown" && failures < 2,
    overflow: () => overloaded("hold"),
    isOutage: () => false,
    // A side queue waits for the lock of one account, which is no reason to refuse the others.
    queued: (waitMs, kind) => kind === "main" && options.onWait?.("hold", waitMs),
    observe(kind, size, waitMs) {
      const label = kind === "side" ? "side" : "hold";
      options.metrics.observeBatch(label, size);
      options.metrics.observeBatchWait(label, waitMs);
    },
  });
  return {
    acquire: (request) => queue.push(request),
    async whenAnswered(id) {
      const asked = [...running].filter(({ requests }) =>
        requests.some(({ facts }) => belongsTo(facts, id)),
      );
      await Promise.allSettled(asked.map(({ done }) => done));
    },
    settled: () => queue.settled(),
    async close() {
      await Promise.all([main.close(), side.close()]);
    },
  };
}

/** Answers every request, in order. */
async function runBatch(
  { book, instanceId, failpoint, onFailure }: AcquirerOptions,
  connection: BoundedConnection,
  requests: readonly HoldRequest[],
  wait: boolean,
): Promise<(Answer | "busy")[]> {
  const calls = describeAll(book, requests);
  const sentAtMs = book.nowMs();
  let batch: AcquiredBatch;
  try {
    batch = await connection.run((sql) => {
      const pending = acquireLeases(sql, calls, { instanceId, wait, late: false });
      failpoint("hold-sent");
      return pending;
    });
    failpoint("hold-committed");
  } catch (error) {
    const failure = classifyBatchFailure(error);
    if (failure === "unknown" || failure === "whole") onFailure?.();
    const lost = failure === "unknown";
    for (const call of calls) {
      book.endAcquisition(call);
      if (lost) book.lose(call.lease);
    }
    throw error;
  }
  const { answers, hourLeftMs } = batch;
  return calls.map((call, index) => {
    if (hourLeftMs !== undefined) {
      call.lease.endsAtMs = Math.min(call.lease.endsAtMs, sentAtMs + hourLeftMs);
    }
    return applyAnswer(book, call, answers[index] ?? "busy");
  });
}

/** From memory only; once per call, because it counts the call's demand. */
export function takeHold(book: LeaseBook, request: HoldRequest): Hold | undefined {
  const lease = book.take(request.facts, request.wantNanos);
  return lease && describeHold(request, lease);
}

/** Like `takeHold`, for a call that waits in the queue. */
function retakeHold(book: LeaseBook, request: HoldRequest): Hold | undefined {
  const lease = book.retake(request.facts, request.wantNanos);
  return lease && describeHold(request, lease);
}

function describeHold(request: HoldRequest, lease: Lease): Hold {
  return { request, lease, grantedNanos: request.wantNanos, heldAtMs: performance.now() };
}

type Call = Acquisition & { readonly request: HoldRequest };

/** The last call of a payer in the batch asks for the head start of those that follow. */
function describeAll(book: LeaseBook, requests: readonly HoldRequest[]): Call[] {
  const last = new Map<string, number>();
  const calls = requests.map((request, position) => {
    const { lease, ownNanos } = book.reserve(request.facts);
    last.set(lease.id, position);
    const { wantNanos, floorNanos, atMostHalf, allOrNothing } = request;
    return {
      request,
      lease,
      wantNanos,
      floorNanos,
      ownNanos,
      aheadNanos: 0n,
      atMostHalf,
      allOrNothing,
    };
  });
  return calls.map((call, position) =>
    last.get(call.lease.id) === position
      ? { ...call, aheadNanos: book.aheadNanos(call.lease) }
      : call,
  );
}

function applyAnswer(book: LeaseBook, call: Call, answer: Acquired | "busy"): Answer | "busy" {
  const { request, lease } = call;
  if (answer === "busy" || answer.verdict !== "held") {
    book.endAcquisition(call);
    if (answer !== "busy" && answer.verdict === "closed") book.retire(lease);
    return answer;
  }
  const { grantedNanos, extraNanos, availableNanos } = answer;
  // Retired meanwhile: the call asks for another lease.
  if (!book.enlarge(call, grantedNanos, extraNanos)) return { verdict: "closed" };
  lease.nearlyEmpty = isNearlyEmpty(availableNanos, request.wantNanos);
  return { request, lease, grantedNanos, heldAtMs: performance.now() };
}
