// The ledger of one process: requests wait here for their hold and for their settlement, each in a
// lane of group commits. Only the database ever grants money; what is in memory can only refuse.
import { type Failpoint, Fault, type InstanceId, noFailpoint, zeroNanos } from "@turnpike/base";
import { isConnectionError, readErrorCode } from "@turnpike/db";
import type { Log, Metrics } from "@turnpike/telemetry";
import {
  type HoldDecision,
  type HoldRequest,
  noFacts,
  type Settled,
  type Settlement,
} from "./hold.ts";
import { holdConnection, StatementDeadline } from "./hold-connection.ts";
import { type BatchFailure, Lane } from "./lane.ts";
import { placeHolds } from "./place-holds.ts";
import { settleHolds } from "./settle-holds.ts";

export type LedgerOptions = {
  readonly url: string;
  readonly instanceId: InstanceId;
  /** How long a hold may stay open before it is reaped. */
  readonly holdLifetimeMs: number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint?: Failpoint;
  /** Whether this process may still admit requests (its heartbeat is fresh). */
  readonly admitting: () => boolean;
};

export type Ledger = {
  /** Commits the hold before it resolves. Rejects with a Fault `overloaded` when it cannot say. */
  readonly placeHold: (hold: HoldRequest) => Promise<HoldDecision>;
  /** Resolves when the settlement is durable; keeps trying while the database is away. */
  readonly settleHold: (settlement: Settlement) => Promise<Settled>;
  /** Settlements not durable yet. */
  readonly unsettled: () => number;
  /** Waits until every hold and settlement handed over is durable. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const batchMax = 128;
const sideMax = 4;
const lockTimeoutMs = 2_000;

export function openLedger(options: LedgerOptions): Ledger {
  const settleLane = openSettleLane(options);
  const holdLane = openHoldLane(options);
  const release = (hold: HoldRequest) =>
    settleLane.lane.push({
      id: hold.id,
      accountId: hold.accountId,
      state: "released",
      costNanos: zeroNanos,
      facts: { ...noFacts, status: 503, outcome: "abandoned", errorCode: "overloaded" },
    });

  return {
    async placeHold(hold) {
      if (!options.admitting()) throw overloaded();
      try {
        return await holdLane.lane.push(hold);
      } catch (error) {
        if (error instanceof Fault) throw error;
        // The hold may exist although we never heard of it.
        if (judge(error) === "unknown") release(hold).catch(() => undefined);
        options.log.warn({ err: error, requestId: hold.id }, "hold not placed");
        throw overloaded(error);
      }
    },
    settleHold: (settlement) => settleLane.lane.push(settlement),
    unsettled: () => settleLane.lane.pending,
    async drain() {
      await holdLane.lane.settled();
      await settleLane.lane.settled();
    },
    async close() {
      await Promise.all([holdLane.close(), settleLane.close()]);
    },
  };
}

function openHoldLane(options: LedgerOptions) {
  const failpoint = options.failpoint ?? noFailpoint;
  const main = openConnection(options, "hold", 1, 1_000);
  const side = openConnection(options, "hold side", sideMax, 3_000);
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
    batchMax,
    queueMax: 2_000,
    sideMax,
    queuedMaxMs: 1_000,
    judge,
    again: (failure, _hold, attempts) => failure === "unknown" && attempts < 2,
    overflow: overloaded,
    observe: (lane, size, waitMs) => observe(options.metrics, "hold", lane, size, waitMs),
  });
  return { lane, close: () => closeBoth(main, side) };
}

function openSettleLane(options: LedgerOptions) {
  const failpoint = options.failpoint ?? noFailpoint;
  const main = openConnection(options, "settle", 1, 5_000);
  const side = openConnection(options, "settle side", sideMax, 5_000);
  const lane = new Lane<Settlement, Settled>({
    run: (settlements, attempt) =>
      (attempt.wait ? side : main).run((sql) =>
        settleHolds(sql, settlements, { wait: attempt.wait, failpoint }),
      ),
    accountOf: (settlement) => settlement.accountId,
    batchMax,
    queueMax: 10_000,
    sideMax,
    queuedMaxMs: Number.POSITIVE_INFINITY,
    judge,
    again(failure, settlement, attempts) {
      if (failure !== "poison") return true;
      options.log.error({ requestId: settlement.id, attempts }, "settlement failed");
      // Whatever is wrong with it, the reaper ends its hold; nothing else waits for it.
      return attempts < 5;
    },
    overflow: overloaded,
    observe: (lane, size, waitMs) => observe(options.metrics, "settle", lane, size, waitMs),
  });
  return { lane, close: () => closeBoth(main, side) };
}

function openConnection(options: LedgerOptions, name: string, max: number, deadlineMs: number) {
  return holdConnection({
    url: options.url,
    max,
    deadlineMs,
    lockTimeoutMs,
    applicationName: `turnpike ${name}`,
  });
}

async function closeBoth(
  main: { close: () => Promise<void> },
  side: { close: () => Promise<void> },
): Promise<void> {
  await Promise.all([main.close(), side.close()]);
}

function observe(
  metrics: Metrics,
  lane: "hold" | "settle",
  kind: "main" | "side",
  size: number,
  waitMs: number,
): void {
  const label = kind === "side" ? "side" : lane;
  metrics.observeBatch(label, size);
  metrics.observeBatchWait(label, waitMs);
}

/** Lock and statement timeouts, deadlocks and serialisation failures concern the batch as a whole. */
const wholeBatchCodes = new Set(["55P03", "57014", "40P01", "40001"]);

function judge(error: unknown): BatchFailure {
  if (error instanceof StatementDeadline || isConnectionError(error)) return "unknown";
  const code = readErrorCode(error);
  return code !== undefined && wholeBatchCodes.has(code) ? "whole" : "poison";
}

function overloaded(cause?: unknown): Fault {
  return new Fault("overloaded", "The service is briefly overloaded. Please try again in 2s.", {
    retryAfterMs: 2_000,
    cause,
  });
}
