// Shuts down without losing anything: report not ready, stop listening, let running calls end (including
// those whose client disconnected), then make every charge durable.
import type { Config } from "./config.ts";
import type { Server } from "./listen.ts";
import type { Services } from "./services.ts";

/** For the final bytes of answers that we ended; clients that have not read them by then are cut off. */
const finalBytesMs = 2_000;

export type DrainTimes = Pick<Config, "DRAIN_NOTICE_MS" | "DRAIN_STREAMS_MS" | "SETTLE_WAIT_MS">;

/** After an uncaught exception the process is unreliable: drain for thirty seconds at most. */
export function shortenDrain(times: DrainTimes): DrainTimes {
  return {
    DRAIN_NOTICE_MS: Math.min(times.DRAIN_NOTICE_MS, 5_000),
    DRAIN_STREAMS_MS: Math.min(times.DRAIN_STREAMS_MS, 15_000),
    // There are two waits for final bytes: those of the answers, then our own.
    SETTLE_WAIT_MS: Math.min(times.SETTLE_WAIT_MS, 10_000 - 2 * finalBytesMs),
  };
}

/** Without a parent another process is about to be started on this port: free it immediately. */
export function orphanDrain(times: DrainTimes): DrainTimes {
  return { ...shortenDrain(times), DRAIN_NOTICE_MS: 0 };
}

type DrainedServices = Pick<Services, "close" | "endAnswers" | "failpoint" | "log" | "settle"> & {
  readonly ledger: Pick<Services["ledger"], "everyHoldEnded" | "uncharged">;
  readonly idempotentCalls: Pick<Services["idempotentCalls"], "settled">;
};

/**
 * Resolves with true when every answer has ended and every charge is durable; with false if the
 * database took too long: other instances then close what was left open. Once answers have been told
 * to end, waiting for the database takes at most `SETTLE_WAIT_MS`. `hurry` ends the notice.
 */
export async function drain(
  services: DrainedServices,
  server: Pick<Server, "stop">,
  stopJobs: () => Promise<void>,
  times: DrainTimes,
  hurry: Promise<void> = new Promise(() => undefined),
): Promise<boolean> {
  const { log } = services;
  const { DRAIN_NOTICE_MS: noticeMs, DRAIN_STREAMS_MS: streamsMs } = times;
  const { SETTLE_WAIT_MS: settleWaitMs } = times;
  log.info({ noticeMs, streamsMs, settleWaitMs }, "draining");
  services.failpoint("drain-started");
  // Load balancers notice /readyz a moment later: until then requests still arrive and are served.
  await Promise.race([Bun.sleep(noticeMs), hurry]);
  const stopped = server.stop();
  const timer = setTimeout(() => services.endAnswers("drain deadline"), streamsMs);
  const stoppedAtMs = performance.now();
  const settledAfterMs = streamsMs + settleWaitMs;
  const cutTimer = setTimeout(() => void server.stop(true), settledAfterMs + finalBytesMs);
  const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<void>();
  const giveUpTimer = setTimeout(giveUp, settledAfterMs + finalBytesMs);
  // A client may have just disconnected: its connection is closed, but its bill is still being computed.
  let everyBillKnown = false;
  const billed = services.ledger.everyHoldEnded().then(() => {
    everyBillKnown = true;
  });
  const ended = Promise.all([billed, services.idempotentCalls.settled()]);
  await Promise.all([stopped, Promise.race([ended, tooLate])]);
  clearTimeout(giveUpTimer);
  clearTimeout(timer);
  clearTimeout(cutTimer);
  const waitMs = databaseWaitMs(times, performance.now() - stoppedAtMs);
  const closed = await closeInTime(services, stopJobs, waitMs);
  if (closed && everyBillKnown) {
    log.info("drained");
    return true;
  }
  const uncharged = services.ledger.uncharged();
  log.error({ uncharged }, `ended before ${whatIsMissing(everyBillKnown, uncharged)}`);
  return false;
}

function whatIsMissing(everyBillKnown: boolean, uncharged: number): string {
  if (!everyBillKnown) return "every bill was computed";
  return uncharged > 0 ? "every charge was durable" : "everything was closed";
}

/**
 * How long the database may still take if answers ended `drainedAfterMs` after the server stopped: at
 * most `SETTLE_WAIT_MS`, less if answers used up some of it, at least as long as final bytes.
 */
export function databaseWaitMs(
  times: Pick<DrainTimes, "DRAIN_STREAMS_MS" | "SETTLE_WAIT_MS">,
  drainedAfterMs: number,
): number {
  const leftMs = times.DRAIN_STREAMS_MS + times.SETTLE_WAIT_MS - drainedAfterMs;
  return Math.max(Math.min(times.SETTLE_WAIT_MS, leftMs), finalBytesMs);
}

/**
 * Money is settled while jobs stop, so that no lease stays open because a job waits for Stripe, for example. An
 * unreachable database must not keep a process running forever; false if it took too long.
 */
export async function closeInTime(
  services: Pick<Services, "close" | "log" | "settle">,
  stopJobs: () => Promise<void>,
  withinMs: number,
): Promise<boolean> {
  const close = async () => {
    await Promise.all([stopJobs(), services.settle()]);
    await services.close();
    return true;
  };
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), withinMs);
  const closed = close().catch((error: unknown) => {
    services.log.error({ err: error }, "not closed");
    return false;
  });
  const inTime = await Promise.race([closed, late]);
  clearTimeout(timer);
  return inTime;
}
