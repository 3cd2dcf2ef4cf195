// Finished calls wait here until they are written, in a group-commit queue that locks only the
// leases of this process. A call whose lease was closed meanwhile is charged against a lease acquired
// only for it: never more than was held, never more than is available.
import { type Failpoint, type InstanceId, overloaded } from "@turnpike/base";
import type { Log, Metrics } from "@turnpike/telemetry";
import { type BoundedConnection, openBoundedConnection } from "./bounded-connection.ts";
import { chargeLate } from "./charge-late.ts";
import { chargeRequests, type LeasedCharge } from "./charge-requests.ts";
import { classifyBatchFailure } from "./classify-batch-failure.ts";
import { classifyWriteFailure } from "./classify-write-failure.ts";
import { GroupCommitQueue } from "./group-commit-queue.ts";
import type { Charge, Charged } from "./hold.ts";
import type { LeaseBook } from "./lease-book.ts";
import { ledgerLimits, ledgerTimes } from "./ledger-bounds.ts";

export type ChargerOptions = {
  readonly url: string;
  /** For charges whose lease was closed; closed by its owner. */
  readonly lateConnection: BoundedConnection;
  readonly instanceId: InstanceId;
  readonly book: LeaseBook;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  readonly onWait?: (queue: "charge", waitMs: number) => void;
  readonly onFailure?: () => void;
  /** A lease was charged whose remaining headroom will not be used. */
  readonly onHeadroom: () => void;
};

export type Charger = {
  /**
   * Resolves when the charge is durable; keeps trying while the database is unreachable. `onEnd` is called
   * then, or once it was given up.
   */
  readonly charge: (charge: Charge, onEnd?: () => void) => Promise<Charged>;
  readonly pending: () => number;
  /** Why no charge can be written at present. */
  readonly outage: () => unknown;
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A charge that waits for the database is logged once, not at every try. */
const patientTries = 5;

export function openCharger(options: ChargerOptions): Charger {
  const { book, instanceId, failpoint } = options;
  const main = openBoundedConnection({
    url: options.url,
    max: 1,
    deadlineMs: ledgerTimes.chargeMs,
    lockTimeoutMs: ledgerTimes.lockMs,
    applicationName: "turnpike charge",
  });
  let closed = false;
  const queue = openQueue(
    options,
    "charge",
    () => closed,
    (charges) =>
      main.run((sql) => chargeRequests(sql, charges.map(withOwnLease), { instanceId, failpoint })),
  );
  const late = openQueue(
    options,
    "side",
    () => closed,
    (charges) => chargeLate(options.lateConnection, options, charges),
  );

  function release(charge: Charge, charged: Charged | undefined): void {
    const { lease } = charge.hold;
    book.endHold(charge.hold);
    if (charged !== undefined && charged.verdict !== "late_settled") {
      lease.spentNanos += charged.chargedNanos;
    }
    if (lease.exact || lease.state !== "open") options.onHeadroom();
  }

  return {
    async charge(charge, onEnd) {
      let charged: Charged | undefined;
      try {
        const answer = await queue.push(charge);
        if (answer === "late") {
          book.retire(charge.hold.lease);
          return await late.push(charge);
        }
        charged = answer;
        return answer;
      } finally {
        // Also if it was given up permanently: then no one is charged, and the lease need not wait.
        release(charge, charged);
        onEnd?.();
      }
    },
    pending: () => queue.pending + late.pending,
    outage: () => queue.outage ?? late.outage,
    async settled() {
      while (queue.pending + late.pending > 0) {
        await queue.settled();
        await late.settled();
      }
    },
    async close() {
      closed = true;
      await main.close();
    },
  };
}

function openQueue<Result>(
  { log, metrics, onWait, onFailure }: ChargerOptions,
  label: "charge" | "side",
  isClosed: () => boolean,
  run: (charges: readonly Charge[]) => Promise<Result[]>,
): GroupCommitQueue<Charge, Result> {
  return new GroupCommitQueue({
    run,
    accountOf: (charge) => charge.hold.request.accountId,
    batchMax: ledgerLimits.batch,
    queueMax: ledgerLimits.queuedCharges,
    sideMax: 1,
    ageMaxMs: Number.POSITIVE_INFINITY,
    classify: classifyBatchFailure,
    mayRetry(failure, charge, { failures, error }) {
      const facts = { err: error, generationId: charge.hold.request.id, failures };
      if (failure !== "bad_item") onFailure?.();
      if (failure === "bad_item") log.error(facts, "charge failed");
      else if (failures === patientTries) log.warn(facts, "charge still waits");
      return !isClosed() && (failure !== "bad_item" || failures < ledgerLimits.chargeTries);
    },
    overflow: overloaded,
    isOutage: (error) => classifyWriteFailure(error).kind !== "slow",
    // Late charges wait for the lock of one account; every other charge waits for the database.
    queued: (waitMs, kind) => (kind === "main" || label === "charge") && onWait?.("charge", waitMs),
    observe(_kind, size, waitMs) {
      metrics.observeBatch(label, size);
      metrics.observeBatchWait(label, waitMs);
    },
  });
}

function withOwnLease(charge: Charge): LeasedCharge {
  const { lease, grantedNanos } = charge.hold;
  return { charge, lease, capNanos: grantedNanos, late: false };
}
