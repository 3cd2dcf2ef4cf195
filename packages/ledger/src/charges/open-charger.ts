// Finished calls wait here until they are written, in a group-commit queue that locks only the
// leases of this process. A call whose lease was closed meanwhile is charged against a lease acquired
// only for it: never more than was held, never more than is available.
import { type Failpoint, type InstanceId, overloaded } from "@turnpike/base";
import type { Log, Metrics } from "@turnpike/telemetry";
import { type BoundedConnection, openBoundedConnection } from "../batches/bounded-connection.ts";
import { classifyBatchFailure } from "../batches/classify-batch-failure.ts";
import { classifyWriteFailure } from "../batches/classify-write-failure.ts";
import { GroupCommitQueue } from "../batches/group-commit-queue.ts";
import type { Charge, Charged } from "../hold.ts";
import type { LeaseBook } from "../leases/lease-book.ts";
import { ledgerLimits, ledgerTimes } from "../ledger-bounds.ts";
import { chargeCalls, type LeasedCharge } from "./charge-calls.ts";
import { chargeLate } from "./charge-late.ts";

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
  /** A charge is durable, or was given up. */
  readonly onEnd: () => void;
};

export type Charger = {
  /** Resolves when the charge is durable; keeps trying while the database is unreachable. */
  readonly charge: (charge: Charge) => Promise<Charged>;
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
  const isClosed = () => closed;
  const queue = createQueue(options, "charge", isClosed, release, async (charges) => {
    const answers = await main.run((sql) =>
      chargeCalls(sql, charges.map(withOwnLease), { instanceId, failpoint }),
    );
    return answers.map((answer, index) => end(charges[index], answer));
  });
  const late = createQueue(options, "side", isClosed, release, async (charges) => {
    const answers = await chargeLate(options.lateConnection, options, charges);
    for (const [index, charge] of charges.entries()) release(charge, answers[index]);
    return answers;
  });

  function end(charge: Charge | undefined, answer: Charged | "late"): Charged | Promise<Charged> {
    if (charge === undefined) throw new Error("there are more answers than charges");
    if (answer !== "late") {
      release(charge, answer);
      return answer;
    }
    book.retire(charge.hold.lease);
    return late.push(charge);
  }

  /** Also if it was given up permanently: then no one is charged, and the lease need not wait. */
  function release(charge: Charge, charged?: Charged): void {
    const { lease } = charge.hold;
    book.endHold(charge.hold);
    if (charged !== undefined && charged.verdict !== "late_settled") {
      lease.spentNanos += charged.chargedNanos;
    }
    // Perhaps another lease had paid: what the database says this one has left is returned, and not what is known here.
    if (charged?.verdict === "already") book.lose(lease);
    if (lease.nearlyEmpty || lease.state !== "open") options.onHeadroom();
    options.onEnd();
  }

  return {
    charge: (charge) => queue.push(charge),
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

function createQueue(
  { log, metrics, onWait, onFailure }: ChargerOptions,
  label: "charge" | "side",
  isClosed: () => boolean,
  rejected: (charge: Charge) => void,
  run: (charges: readonly Charge[]) => Promise<(Charged | Promise<Charged>)[]>,
): GroupCommitQueue<Charge, Charged> {
  return new GroupCommitQueue({
    run,
    rejected,
    accountOf: (charge) => charge.hold.request.facts.accountId,
    batchMax: ledgerLimits.batch,
    queueMax: ledgerLimits.queuedCharges,
    sideMax: 1,
    ageMaxMs: Number.POSITIVE_INFINITY,
    classify: classifyBatchFailure,
    mayRetry(failure, charge, { failures, error }) {
      const facts = { err: error, generationId: charge.hold.request.facts.id, failures };
      if (failure !== "bad_item") onFailure?.();
      if (failure === "bad_item") log.error(facts, "charge failed");
      else if (failures === patientTries) log.warn(facts, "charge still waits");
      return !isClosed() && (failure !== "bad_item" || failures < ledgerLimits.chargeTries);
    },
    overflow: () => overloaded("charge"),
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
