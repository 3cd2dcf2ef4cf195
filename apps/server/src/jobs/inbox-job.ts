// Processes the events that Stripe sent, soon after they arrived. Any number of instances may do so at the
// same time: each event is claimed by one of them, even after an abandoned run.
import { workInbox } from "@turnpike/billing";
import type { Services } from "../services.ts";
import { type JobOptions, type StopJob, startJob } from "./start-job.ts";

/** Does nothing without Stripe; the returned function stops it after the events being processed. */
export function startInboxJob(services: Services, options?: JobOptions): StopJob {
  const { config, billing, jobsDatabase, log } = services;
  if (billing.mode !== "stripe") return async () => undefined;
  const work = async () => {
    const worked = await workInbox(jobsDatabase.db, billing);
    if (worked.done > 0) log.info(worked, "Stripe events processed");
  };
  return startJob(services, "inbox", config.WORK_INBOX_EVERY_MS, work, options);
}
