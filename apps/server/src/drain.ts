// Leaves without losing anything: not ready, then deaf, then the running answers, those whose client
// has left among them, then the books.
import type { Config } from "./config.ts";
import type { Server } from "./listen.ts";
import type { Services } from "./services.ts";

/** For the last words of answers that were ended; whoever does not read them by then is cut off. */
const lastWordsMs = 2_000;

export type DrainTimes = Pick<Config, "DRAIN_NOTICE_MS" | "DRAIN_STREAMS_MS" | "SETTLE_WAIT_MS">;

/** After an exception that nobody caught little can be relied on: thirty seconds in all. */
export function shortenDrain(times: DrainTimes): DrainTimes {
  return {
    DRAIN_NOTICE_MS: Math.min(times.DRAIN_NOTICE_MS, 5_000),
    DRAIN_STREAMS_MS: Math.min(times.DRAIN_STREAMS_MS, 15_000),
    // The last words are waited for twice: those of the answers, then our own.
    SETTLE_WAIT_MS: Math.min(times.SETTLE_WAIT_MS, 10_000 - 2 * lastWordsMs),
  };
}

/**
 * Resolves when every answer ended and every settlement is durable, and then with true; or with
 * false, when the database let it wait for too long: then others release what was left open. Once
 * answers are told to end, waiting for the database takes `SETTLE_WAIT_MS` in all.
 */
export async function drain(
  services: Services,
  server: Server,
  stopJobs: () => Promise<void>,
  times: DrainTimes,
): Promise<boolean> {
  const { log } = services;
  const { DRAIN_NOTICE_MS: noticeMs, DRAIN_STREAMS_MS: streamsMs } = times;
  const { SETTLE_WAIT_MS: settleWaitMs } = times;
  log.info({ noticeMs, streamsMs, settleWaitMs }, "draining");
  services.failpoint("drain-started");
  // Load balancers learn of /readyz a moment later: until then requests still come and are served.
  await Bun.sleep(noticeMs);
  const stopped = server.stop();
  const timer = setTimeout(() => services.endAnswers("drain deadline"), streamsMs);
  const settledAfterMs = streamsMs + settleWaitMs;
  const settledAt = performance.now() + settledAfterMs;
  const cutTimer = setTimeout(() => void server.stop(true), settledAfterMs + lastWordsMs);
  const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<void>();
  const giveUpTimer = setTimeout(giveUp, settledAfterMs + lastWordsMs);
  await Promise.all([stopped, Promise.race([services.gateway.background.whenIdle(), tooLate])]);
  clearTimeout(giveUpTimer);
  clearTimeout(timer);
  clearTimeout(cutTimer);
  const leftMs = Math.min(settleWaitMs, settledAt - performance.now());
  const closed = await closeInTime(services, stopJobs, Math.max(leftMs, lastWordsMs));
  if (closed) log.info("drained");
  else log.error({ uncharged: services.ledger.uncharged() }, "left without the last word");
  return closed;
}

/** A database that is away must not keep a process for ever that was told to leave. */
async function closeInTime(
  services: Services,
  stopJobs: () => Promise<void>,
  withinMs: number,
): Promise<boolean> {
  const close = async () => {
    await stopJobs();
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
