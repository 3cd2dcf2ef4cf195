// The ledger of one process: requests wait here for their hold and for their settlement, each in a
// lane of group commits. Only the database ever grants money; what is in memory can only refuse.
import { type Failpoint, Fault, type InstanceId, noFailpoint, zeroNanos } from "@turnpike/base";
import type { Lane as LaneName, Log, Metrics } from "@turnpike/telemetry";
import { openBoundedConnection } from "./bounded-connection.ts";
import {
  type HoldDecision,
  type HoldRequest,
  noFacts,
  type Settled,
  type Settlement,
} from "./hold.ts";
import { judgeFailure } from "./judge-failure.ts";
import { Lane } from "./lane.ts";
import { placeHolds } from "./place-holds.ts";
import { type ReapOptions, reapHolds } from "./reap-holds.ts";
import { settleHolds } from "./settle-holds.ts";

export type LedgerOptions = {
  readonly url: string;
  readonly instanceId: InstanceId;
  /** How long a hold may stay open before it is reaped. */
  readonly holdLifetimeMs: number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint?: Failpoint;
  /** How long the oldest item of a batch had waited for it, in milliseconds. */
  readonly onWait?: (queue: "hold" | "settle", waitMs: number) => void;
  /** Whether this process may still admit requests (its heartbeat is fresh). */
  readonly admitting: () => boolean;
};

export type Ledger = {
  /** Commits the hold before it resolves. Rejects with a Fault `overloaded` when it cannot say. */
  readonly placeHold: (hold: HoldRequest) => Promise<HoldDecision>;
  /** Resolves when the settlement is durable; keeps trying while the database is away. */
  readonly settleHold: (settlement: Settlement) => Promise<Settled>;
  /** Expires holds that nobody will end, whoever placed them; resolves with how many. */
  readonly reapHolds: (options: ReapOptions) => Promise<number>;
  /** Settlements not durable yet. */
  readonly unsettled: () => number;
  /** True once every hold and settlement handed over is durable; false if not within the time. */
  readonly drain: (withinMs?: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** Deadlines of statements, from the moment they are sent. */
export const ledgerTimes = {
  holdMs: 1_000,
  /** A hold that waited longer is refused instead of tried. */
  holdAgeMs: 1_000,
  /** In a side lane, where a hold waits for the lock of its account. */
  holdAsideMs: 3_000,
  settleMs: 5_000,
  lockMs: 2_000,
} as const;

export const ledgerLimits = {
  batch: 128,
  sides: 4,
  queuedHolds: 10_000,
  queuedSettlements: 10_000,
  /** Of a settlement that fails by itself; about three seconds with the pauses between. */
  settleTries: 7,
  /** With more than this unsettled nothing new is admitted, so that what runs can be settled. */
  unsettledToAdmit: 5_000,
} as const;

/** A settlement that waits for the database is logged once, not at every try. */
const patientTries = 5;

export function openLedger(options: LedgerOptions): Ledger {
  const failpoint = options.failpoint ?? noFailpoint;
  const holds = openHoldLane(options, failpoint);
  const settlements = openSettleLane(options, failpoint);
  const reaping = openBoundedConnection({
    url: options.url,
    max: 1,
    deadlineMs: ledgerTimes.settleMs,
    applicationName: "turnpike reaper",
  });

  /** The hold may exist although we never heard of it, or may still come to exist. */
  function abandon(hold: HoldRequest): void {
    const facts = { ...noFacts, status: 503, outcome: "abandoned", errorCode: "overloaded" };
    settlements.lane
      .push({ ...hold, state: "released", costNanos: zeroNanos, facts })
      .catch((error: unknown) =>
        options.log.error({ err: error, requestId: hold.id }, "hold not released"),
      );
  }

  async function settleAll(): Promise<void> {
    // A hold that fails may leave a release behind.
    while (holds.lane.pending + settlements.lane.pending > 0) {
      await holds.lane.settled();
      await settlements.lane.settled();
    }
  }

  return {
    async placeHold(hold) {
      if (!options.admitting()) throw overloaded();
      if (settlements.lane.pending > ledgerLimits.unsettledToAdmit) throw overloaded();
      try {
        return await holds.lane.push(hold);
      } catch (error) {
        if (error instanceof Fault) throw error;
        if (judgeFailure(error) !== "whole") abandon(hold);
        options.log.warn({ err: error, requestId: hold.id }, "hold not placed");
        throw overloaded(error);
      }
    },
    settleHold: (settlement) => settlements.lane.push(settlement),
    reapHolds: (reap) => reapHolds(reaping, { ...reap, failpoint, log: options.log }),
    unsettled: () => settlements.lane.pending,
    drain: (withinMs = Number.POSITIVE_INFINITY) => within(withinMs, settleAll()),
    async close() {
      await Promise.all([holds.close(), settlements.close(), reaping.close()]);
    },
  };
}

function openHoldLane(options: LedgerOptions, failpoint: Failpoint) {
  const { main, side, close } = openConnections(options.url, "hold", {
    mainMs: ledgerTimes.holdMs,
    sideMs: ledgerTimes.holdAsideMs,
  });
  const lane = new Lane<HoldRequest, HoldDecision>({
    run: (holds, attempt) =>
      (attempt.wait ? side : main).run((sql) =>
        placeHolds(sql, holds, {
          ...attempt,
          instanceId: options.instanceId,
          lifetimeMs: options.holdLifetimeMs,
          failpoint,
        }),
      ),
    accountOf: (hold) => hold.accountId,
    batchMax: ledgerLimits.batch,
    queueMax: ledgerLimits.queuedHolds,
    sideMax: ledgerLimits.sides,
    ageMaxMs: ledgerTimes.holdAgeMs,
    judge: judgeFailure,
    again: (failure, _hold, { failures }) => failure === "unknown" && failures < 2,
    overflow: overloaded,
    queued: (waitMs) => options.onWait?.("hold", waitMs),
    observe: observeWith(options.metrics, "hold"),
  });
  return { lane, close };
}

function openSettleLane(options: LedgerOptions, failpoint: Failpoint) {
  const { main, side, close } = openConnections(options.url, "settle", {
    mainMs: ledgerTimes.settleMs,
    sideMs: ledgerTimes.settleMs,
  });
  let closed = false;
  const lane = new Lane<Settlement, Settled>({
    run: (settlements, attempt) =>
      (attempt.wait ? side : main).run((sql) =>
        settleHolds(sql, settlements, { wait: attempt.wait, failpoint }),
      ),
    accountOf: (settlement) => settlement.accountId,
    batchMax: ledgerLimits.batch,
    queueMax: ledgerLimits.queuedSettlements,
    sideMax: ledgerLimits.sides,
    ageMaxMs: Number.POSITIVE_INFINITY,
    judge: judgeFailure,
    again(failure, settlement, { failures, error }) {
      const facts = { err: error, requestId: settlement.id, failures };
      if (failure === "poison") options.log.error(facts, "settlement failed");
      else if (failures === patientTries) options.log.warn(facts, "settlement still waits");
      // Whatever is wrong with a bad one, the reaper ends its hold; nothing else waits for it.
      return !closed && (failure !== "poison" || failures < ledgerLimits.settleTries);
    },
    overflow: overloaded,
    queued: (waitMs) => options.onWait?.("settle", waitMs),
    observe: observeWith(options.metrics, "settle"),
  });
  return {
    lane,
    async close() {
      closed = true;
      await close();
    },
  };
}

function openConnections(
  url: string,
  name: "hold" | "settle",
  times: { readonly mainMs: number; readonly sideMs: number },
) {
  const common = { url, lockTimeoutMs: ledgerTimes.lockMs };
  const main = openBoundedConnection({
    ...common,
    max: 1,
    deadlineMs: times.mainMs,
    applicationName: `turnpike ${name}`,
  });
  const side = openBoundedConnection({
    ...common,
    max: ledgerLimits.sides,
    deadlineMs: times.sideMs,
    applicationName: `turnpike ${name} side`,
  });
  const close = async () => {
    await Promise.all([main.close(), side.close()]);
  };
  return { main, side, close };
}

async function within(limitMs: number, task: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = Number.isFinite(limitMs) ? setTimeout(resolve, limitMs, false) : undefined;
  try {
    return await Promise.race([task.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function observeWith(metrics: Metrics, name: LaneName) {
  return (kind: "main" | "side", size: number, waitMs: number) => {
    const label = kind === "side" ? "side" : name;
    metrics.observeBatch(label, size);
    metrics.observeBatchWait(label, waitMs);
  };
}

function overloaded(cause?: unknown): Fault {
  return new Fault("overloaded", "The service is briefly overloaded. Please try again in 2s.", {
    retryAfterMs: 2_000,
    cause,
  });
}
