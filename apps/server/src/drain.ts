// Leaves without losing anything: not ready, then deaf, then the running answers, then the books.
import type { Server } from "./listen.ts";
import type { Services } from "./services.ts";

/** For the last words of answers that were ended; whoever does not read them by then is cut off. */
const lastWordsMs = 2_000;

/**
 * Resolves when every answer ended and every settlement is durable, and then with true; or with
 * false, when the database let it wait for too long: then others release what was left open. Once
 * answers are told to end, waiting for the database takes `SETTLE_WAIT_MS` in all.
 */
export async function drain(
  services: Services,
  server: Server,
  stopJobs: () => Promise<void>,
): Promise<boolean> {
  const { config, log } = services;
  log.info({ noticeMs: config.DRAIN_NOTICE_MS }, "draining");
  services.failpoint("drain-started");
  // Load balancers learn of /readyz a moment later: until then requests still come and are served.
  await Bun.sleep(config.DRAIN_NOTICE_MS);
  const stopped = server.stop();
  const timer = setTimeout(() => services.endAnswers("drain deadline"), config.DRAIN_STREAMS_MS);
  const settledAfterMs = config.DRAIN_STREAMS_MS + config.SETTLE_WAIT_MS;
  const settledAt = performance.now() + settledAfterMs;
  const cutTimer = setTimeout(() => void server.stop(true), settledAfterMs + lastWordsMs);
  await stopped;
  clearTimeout(timer);
  clearTimeout(cutTimer);
  const leftMs = Math.min(config.SETTLE_WAIT_MS, settledAt - performance.now());
  const closed = await closeInTime(services, stopJobs, Math.max(leftMs, lastWordsMs));
  if (closed) log.info("drained");
  else log.error({ unsettled: services.ledger.unsettled() }, "left without the last word");
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
