// Processes the events that Stripe sent, soon after they arrived. Any number of instances may do so at the
// same time: each event is claimed by one of them. A run only starts what is due, so no event delays the next run.
import { openInboxWorker } from "@turnpike/billing";
import type { Services } from "../services.ts";
import { type StopJob, startJob } from "./start-job.ts";

/** Does nothing without Stripe; the returned function stops it after the events being processed. */
export function startInboxJob(services: Services): StopJob {
  const { config, billing, jobsDatabase } = services;
  if (billing.mode !== "stripe") return async () => undefined;
  const worker = openInboxWorker(jobsDatabase.db, billing);
  const stop = startJob(services, "inbox", config.times.workInboxEveryMs, worker.work);
  return async () => {
    await stop();
    await worker.close();
  };
}
