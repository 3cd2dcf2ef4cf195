// Processes the events that Stripe sent, soon after they arrived. Any number of instances may do so at
// once: each event is claimed by one of them.
import { workInbox } from "@turnpike/billing";
import { every } from "@turnpike/telemetry";
import type { Services } from "../services.ts";
import type { StopJob } from "./start-job.ts";

/** Does nothing without Stripe; the returned function stops it after the events being processed. */
export function startInboxJob({ config, billing, jobsDatabase, log }: Services): StopJob {
  if (billing.mode !== "stripe") return async () => undefined;
  const work = async () => {
    const worked = await workInbox(jobsDatabase.db, billing);
    if (worked.done > 0) log.info(worked, "Stripe events processed");
  };
  return every(config.WORK_INBOX_EVERY_MS, work, { job: "inbox", log }).stop;
}
