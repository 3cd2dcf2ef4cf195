// Passes on that an operator asked for a run of a shared job. Who runs it is decided by the claim in the database; a
// message that is lost delays the run until the next check.
import { jobChannel } from "@turnpike/db";
import type { Services } from "../services.ts";

export type RunRequests = {
  /** `runNow` is called whenever a run of the job may have been asked for. */
  readonly on: (job: string, runNow: () => void) => void;
};

export function createRunRequests({
  listener,
  log,
}: Pick<Services, "listener" | "log">): RunRequests {
  const jobs = new Map<string, () => void>();
  const subscribing = listener.subscribe(jobChannel, {
    onMessage: (job) => jobs.get(job)?.(),
    onReconnect() {
      for (const runNow of jobs.values()) runNow();
    },
  });
  subscribing.catch((error: unknown) => {
    log.warn({ err: error }, "requests to run a job do not arrive; it runs at its next check");
  });
  return { on: (job, runNow) => void jobs.set(job, runNow) };
}
