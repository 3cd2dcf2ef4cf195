// Sends queued webhooks, soon after they were queued. Any number of instances may do so at the same time: each
// message is claimed by one of them. A run only starts what is due, so no receiver delays the next run.
import { openWebhookSender } from "@turnpike/webhooks";
import type { Services } from "../services.ts";
import { type StopJob, startJob } from "./start-job.ts";

/** Does nothing without SEALING_KEY; the returned function stops it once what was sent is recorded. */
export function startWebhookJob(services: Services): StopJob {
  const { config, failpoint, jobsDatabase, log } = services;
  const { webhooks } = services.api;
  if (webhooks.sealer === undefined) {
    log.info("SEALING_KEY is not set: there are no webhooks");
    return async () => undefined;
  }
  const sender = openWebhookSender(jobsDatabase.db, webhooks, { failpoint });
  const stop = startJob(services, "webhooks", config.times.sendWebhooksEveryMs, sender.work);
  return async () => {
    await stop();
    await sender.close();
  };
}
