// The ledger of one process: money is reserved in leases by the database, granted to calls from
// memory, and charged once per call. What memory grants, a durable lease has already taken off the
// account; what a call cost is durable before its answer ends.
import {
  type AccountId,
  type ApiKeyId,
  type Failpoint,
  Fault,
  type InstanceId,
  noFailpoint,
  overloaded,
} from "@turnpike/base";
import type { Log, Metrics } from "@turnpike/telemetry";
import { openBoundedConnection } from "./batches/bounded-connection.ts";
import { classifyWriteFailure, type WriteFailure } from "./batches/classify-write-failure.ts";
import { openCharger } from "./charges/open-charger.ts";
import type { Charge, Charged, Hold, HoldDecision, HoldRequest } from "./hold.ts";
import { LeaseBook } from "./leases/lease-book.ts";
import { type Acquirer, openAcquirer, takeHold } from "./leases/open-acquirer.ts";
import { openSweeper } from "./leases/open-sweeper.ts";
import { type ReapOptions, reapLeases } from "./leases/reap-leases.ts";
import { ledgerLimits, ledgerTimes } from "./ledger-bounds.ts";

export type LedgerOptions = {
  readonly url: string;
  /** Connections that may wait for a locked account before a call is admitted; default 2. */
  readonly sideConnections?: number;
  readonly instanceId: InstanceId;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint?: Failpoint;
  /** How long the database may take to reserve money; default one second. */
  readonly holdMs?: number;
  /** How long the oldest item of a batch had waited for it, in milliseconds. */
  readonly onWait?: (queue: "hold" | "charge", waitMs: number) => void;
  /** The database did not answer a statement, or refused one that no call caused. */
  readonly onFailure?: () => void;
  /** Whether this process may still grant money (its heartbeat is fresh). */
  readonly admitting: () => boolean;
  /**
   * Asks the other instances for idle money of an account; resolves when they answered or the wait
   * is over.
   */
  readonly recallElsewhere?: (accountId: AccountId) => Promise<void>;
  /** Monotonic, in milliseconds: when leases end and fall idle. Default `performance.now`. */
  readonly nowMs?: () => number;
};

export type Ledger = {
  /**
   * Grants from memory if the payer's lease covers it, and otherwise once the database has reserved
   * it. Rejects with a Fault `overloaded` if the database did not respond.
   */
  readonly hold: (request: HoldRequest) => HoldDecision | Promise<HoldDecision>;
  /** Resolves when the charge is durable; keeps trying while the database is unreachable. */
  readonly charge: (charge: Charge) => Promise<Charged>;
  /** Returns idle money of an account, a key or all of them: their next call asks the database. */
  readonly recall: (id?: AccountId | ApiKeyId) => Promise<void>;
  /** Grants nothing more from what is reserved: it may have been given to others meanwhile. */
  readonly retireLeases: () => void;
  /** Closes leases of dead processes; resolves with how many. */
  readonly reapLeases: (options: ReapOptions) => Promise<number>;
  /** Holds that were granted and whose charge is not durable yet. */
  readonly running: () => number;
  /** Resolves when every hold that was granted has been submitted for its charge. */
  readonly everyHoldEnded: () => Promise<void>;
  /** Why charges cannot be written at present; undefined if they can, as far as is known. */
  readonly outage: () => WriteFailure | undefined;
  /** Charges not durable yet. */
  readonly uncharged: () => number;
  /** True once every submitted charge is durable and every lease is closed; false if not in time. */
  readonly drain: (withinMs?: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** Between two tries to close the leases of accounts that others have locked. */
const closePauseMs = 100;
/** How often a call asks again when its lease was closed meanwhile. */
const acquireTries = 3;

export function openLedger(options: LedgerOptions): Ledger {
  const failpoint = options.failpoint ?? noFailpoint;
  const book = new LeaseBook(options.nowMs);
  const acquirer = openAcquirer({
    ...options,
    lockedAccountConnections: options.sideConnections ?? ledgerLimits.lockedAccountConnections,
    book,
    failpoint,
  });
  // What may wait for a locked account without a caller waiting for admission.
  const release = openBoundedConnection({
    url: options.url,
    max: 1,
    deadlineMs: ledgerTimes.chargeMs,
    lockTimeoutMs: ledgerTimes.lockMs,
    applicationName: "turnpike release",
  });
  let running = 0;
  const sweeper = openSweeper({ ...options, connection: release, book, failpoint });
  const charger = openCharger({
    ...options,
    lateConnection: release,
    book,
    failpoint,
    onHeadroom: sweeper.poke,
    onEnd() {
      running -= 1;
    },
  });
  const unended = new Countdown();
  const acquire = acquireWithRecall(options, async (request) => acquirer.acquire(request), {
    async recall(accountId) {
      await Promise.all([recall(accountId), options.recallElsewhere?.(accountId)]);
    },
  });

  /** Headroom that an acquisition under way has set aside, or is being granted, is returned once it is answered. */
  async function recall(id: AccountId | ApiKeyId | undefined): Promise<void> {
    book.recall(id);
    await acquirer.whenAnswered(id);
    await sweeper.sweepLocked(id);
  }

  function granted(hold: Hold): HoldDecision {
    running += 1;
    unended.add();
    return { verdict: "held", hold };
  }

  return {
    hold(request) {
      if (!options.admitting()) throw overloaded("ledger");
      if (charger.pending() > ledgerLimits.unchargedToAdmit) throw overloaded("charge");
      const hold = takeHold(book, request);
      if (hold !== undefined) return granted(hold);
      return acquire(request).then((answer) => {
        if (!("lease" in answer)) return answer;
        // This process may have been stopped for longer than its heartbeat while the call waited.
        if (options.admitting()) return granted(answer);
        book.endHold(answer);
        throw overloaded("ledger");
      });
    },
    charge(charge) {
      unended.remove();
      return charger.charge(charge);
    },
    recall,
    retireLeases: () => book.retireAll(),
    reapLeases: (reap) =>
      reapLeases(release, { ...reap, instanceId: options.instanceId, failpoint, log: options.log }),
    running: () => running,
    everyHoldEnded: () => unended.whenZero(),
    outage() {
      const error = charger.outage();
      return error === undefined ? undefined : classifyWriteFailure(error);
    },
    uncharged: () => charger.pending(),
    drain: (withinMs = Number.POSITIVE_INFINITY) =>
      within(withinMs, async () => {
        await acquirer.settled();
        await charger.settled();
        while (!(await sweeper.closeAll())) await Bun.sleep(closePauseMs);
      }),
    async close() {
      await sweeper.stop();
      await Promise.all([acquirer.close(), charger.close(), release.close()]);
    },
  };
}

/** A count that can be waited for. */
class Countdown {
  #count = 0;
  #zero: PromiseWithResolvers<void> | undefined;

  add(): void {
    this.#count += 1;
  }

  remove(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#zero?.resolve();
    this.#zero = undefined;
  }

  async whenZero(): Promise<void> {
    while (this.#count > 0) {
      this.#zero ??= Promise.withResolvers<void>();
      await this.#zero.promise;
    }
  }
}

type Refusal = Exclude<HoldDecision, { verdict: "held" }>;
type Answer = Awaited<ReturnType<Acquirer["acquire"]>>;

type Recall = { readonly running: Promise<void>; next: Promise<void> | undefined };

/**
 * Asks the database, and if other leases hold what is missing, once more after recalling it: a call
 * is not refused while the money covers it. Concurrent calls of one account share one recall.
 */
function acquireWithRecall(
  options: LedgerOptions,
  acquire: (request: HoldRequest) => Promise<Answer>,
  { recall }: { readonly recall: (accountId: AccountId) => Promise<void> },
): (request: HoldRequest) => Promise<Hold | Refusal> {
  const recalls = new Map<AccountId, Recall>();

  function startRecall(accountId: AccountId): Promise<void> {
    const started: Recall = { running: recall(accountId), next: undefined };
    recalls.set(accountId, started);
    const end = () => {
      if (recalls.get(accountId) === started) recalls.delete(accountId);
    };
    return started.running.finally(end);
  }

  /** The running recall may have missed what was reserved after it began. */
  function recallOnce(accountId: AccountId): Promise<void> {
    const known = recalls.get(accountId);
    if (known === undefined) return startRecall(accountId);
    known.next ??= known.running.then(() => startRecall(accountId));
    return known.next;
  }

  async function acquireOnce(request: HoldRequest): Promise<Answer> {
    try {
      return await acquire(request);
    } catch (error) {
      if (error instanceof Fault) throw error;
      options.log.warn({ err: error, generationId: request.facts.id }, "no money reserved");
      throw overloaded("database", error);
    }
  }

  return async (request) => {
    let recalled = false;
    for (let tries = 1; ; tries += 1) {
      const answer = await acquireOnce(request);
      if ("lease" in answer) return answer;
      if (answer.verdict === "closed") {
        if (tries < acquireTries) continue;
        throw overloaded("hold");
      }
      if (recalled || answer.elsewhereNanos <= 0n) return answer;
      recalled = true;
      await recallOnce(request.facts.accountId);
    }
  };
}

async function within(limitMs: number, task: () => Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = Number.isFinite(limitMs) ? setTimeout(resolve, limitMs, false) : undefined;
  try {
    return await Promise.race([task().then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
