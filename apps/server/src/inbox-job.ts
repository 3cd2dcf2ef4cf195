// Works what Stripe sent a moment after it came, for as long as the process runs. Any number of
// instances may do so at once: each event is claimed by one.
import { workInbox } from "@turnpike/billing";
import type { Services } from "./services.ts";

/** Starts it where money comes by Stripe; the returned function stops it after the events at hand. */
export function startInboxJob(services: Services): () => Promise<void> {
  const { config, billing, billingDatabase, log } = services;
  if (billing.mode !== "stripe") return async () => undefined;
  let running: Promise<void> | undefined;
  const runOnce = async () => {
    try {
      const worked = await workInbox(billingDatabase.db, billing);
      if (worked.done > 0) log.info(worked, "events of Stripe worked");
    } catch (error) {
      log.warn({ err: error, job: "inbox" }, "job failed");
    }
  };
  const timer = setInterval(() => {
    running ??= runOnce().finally(() => {
      running = undefined;
    });
  }, config.WORK_INBOX_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
