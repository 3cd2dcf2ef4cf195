// Starts a periodic job: in every instance, or once per period in all of them. A claim in the database
// decides who runs it, so that no connection is occupied while a job works. A run that hangs is
// abandoned at its limit: the failure is logged, and the job is due again.
import { withDeadline } from "@turnpike/base";
import { measureRun, startInterval } from "@turnpike/telemetry";
import type { Services } from "../services.ts";
import {
  claimRun,
  type FinishedRun,
  finishRun,
  queryFinishedRun,
  releaseRun,
  runLimitMs,
} from "./claim-run.ts";
import type { RunRequests } from "./run-requests.ts";

export type JobOptions = {
  /** How long a run may take; default `runLimitMs(everyMs)`. */
  readonly limitMs?: number;
};

export type SharedJobOptions = JobOptions & {
  /** Also runs when the process starts, however recent the last run was. */
  readonly atStart?: boolean;
  /** Gets the newest result of any instance, some time after each run. */
  readonly observe?: (run: FinishedRun) => void;
};

export type JobServices = Pick<
  Services,
  "config" | "heartbeat" | "jobsDatabase" | "log" | "metrics"
> & {
  /** Absent where nobody asks for runs. */
  readonly requests?: RunRequests;
};

export type StopJob = () => Promise<void>;

/** Runs in every instance, independently of the others. */
export function startJob(
  { log, metrics }: Pick<Services, "log" | "metrics">,
  job: string,
  everyMs: number,
  run: () => Promise<unknown>,
  { limitMs = runLimitMs(everyMs) }: JobOptions = {},
): StopJob {
  return startInterval(everyMs, () => runWithin(limitMs, run), { job, log, metrics }).stop;
}

/** Runs once per `everyMs` in all instances together; `run` resolves with what `observe` gets, as JSON. */
export function startSharedJob(
  { config, heartbeat, jobsDatabase, log, metrics, requests }: JobServices,
  name: string,
  everyMs: number,
  run: () => Promise<unknown>,
  { atStart = false, observe, limitMs = runLimitMs(everyMs) }: SharedJobOptions = {},
): StopJob {
  const { sql } = jobsDatabase;
  const { instanceId } = heartbeat;
  const claim = { name, instanceId, everyMs, silentMs: config.times.silentMs, limitMs };
  let force = atStart;

  async function runIfClaimed(): Promise<void> {
    if (!(await claimRun(sql, { ...claim, force }))) return;
    force = false;
    try {
      const result = await measureRun(metrics, name, () => runWithin(limitMs, run));
      await finishRun(sql, claim, result);
    } catch (error) {
      await releaseRun(sql, claim, error).catch(() => undefined);
      throw error;
    }
  }

  async function runAndObserve(): Promise<void> {
    await runIfClaimed();
    if (observe === undefined) return;
    const last = await queryFinishedRun(sql, name);
    if (last !== undefined) observe(last);
  }

  const loop = startInterval(checkPeriodMs(everyMs), runAndObserve, { job: name, log });
  if (atStart) void loop.runNow();
  requests?.on(name, () => void loop.runNow());
  return loop.stop;
}

/** Rejects after `limitMs`; the result of an abandoned run is ignored. */
function runWithin(limitMs: number, run: () => Promise<unknown>): Promise<unknown> {
  return withDeadline(run(), limitMs, () => {
    throw new Error(`the run was abandoned: it did not end within ${limitMs} ms`);
  });
}

/** How often an instance checks whether a run is due: often enough to retry a failed one soon. */
function checkPeriodMs(everyMs: number): number {
  return Math.min(everyMs, Math.max(everyMs / 10, 1_000), 60_000);
}
