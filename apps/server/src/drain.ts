// Leaves without losing anything: not ready, then deaf, then the running answers, then the books.
import type { Server } from "./listen.ts";
import type { Services } from "./services.ts";

/** For the last words of answers that were ended; whoever does not read them by then is cut off. */
const lastWordsMs = 2_000;

/** Resolves when every answer ended and every settlement is durable. */
export async function drain(
  services: Services,
  server: Server,
  stopJobs: () => Promise<void>,
): Promise<void> {
  const { config, log } = services;
  log.info({ noticeMs: config.DRAIN_NOTICE_MS }, "draining");
  services.failpoint("drain-started");
  // Load balancers learn of /readyz a moment later: until then requests still come and are served.
  await Bun.sleep(config.DRAIN_NOTICE_MS);
  const stopped = server.stop();
  const timer = setTimeout(() => services.endAnswers("drain deadline"), config.DRAIN_STREAMS_MS);
  const cutAfterMs = config.DRAIN_STREAMS_MS + config.SETTLE_WAIT_MS + lastWordsMs;
  const cutTimer = setTimeout(() => void server.stop(true), cutAfterMs);
  await stopped;
  clearTimeout(timer);
  clearTimeout(cutTimer);
  await stopJobs();
  await services.close();
  log.info("drained");
  log.flush();
}
