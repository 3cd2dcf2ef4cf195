// The periodic jobs of this process, reloads of its catalog, and the queues that jobs work on. Jobs, results and
// queues are our own terms, so the number of series is bounded. The label is not `job`, which is a label of Prometheus.
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export type JobRun = {
  readonly job: string;
  readonly failed: boolean;
  readonly durationMs: number;
};

/** `retried` mails are tried again later; `given_up` ones are not. */
export type MailResult = "sent" | "retried" | "given_up";

export type QueueName = "mail" | "stripe" | "webhooks" | "batches" | "batch_lines";
export type QueueFigures = {
  readonly queue: QueueName;
  readonly waiting: number;
  /** Of the item that is due for the longest time; 0 if none is due. */
  readonly overdueMs: number;
};

export type JobMeters = {
  jobRan(run: JobRun): void;
  catalogReloaded(succeeded: boolean): void;
  countMail(result: MailResult): void;
  /** Replaces what was measured last. */
  setQueue(figures: QueueFigures): void;
};

export function createJobMeters(registry: Registry): JobMeters {
  const registers = [registry];
  const runs = new Counter({
    name: "turnpike_job_runs_total",
    help: "Runs of periodic jobs in this process, by task and result: ok, failed.",
    labelNames: ["task", "result"] as const,
    registers,
  });
  const durations = new Histogram({
    name: "turnpike_job_duration_seconds",
    help: "How long the runs of a job took, failed ones included.",
    labelNames: ["task"] as const,
    buckets: [0.01, 0.1, 1, 10, 60, 300],
    registers,
  });
  const succeededAt = new Gauge({
    name: "turnpike_job_last_success_timestamp_seconds",
    help: "When this process last completed a job. A job that runs once for all instances has completed at the maximum over them.",
    labelNames: ["task"] as const,
    registers,
  });
  const reloads = new Counter({
    name: "turnpike_catalog_reloads_total",
    help: "Reloads of the catalog and of providers' keys, by result: ok, failed. After a failed one the previous catalog remains in use.",
    labelNames: ["result"] as const,
    registers,
  });
  for (const result of ["ok", "failed"]) reloads.inc({ result }, 0);
  return {
    jobRan({ job, failed, durationMs }) {
      runs.inc({ task: job, result: failed ? "failed" : "ok" });
      // From 0, so that rate() includes the first failure.
      runs.inc({ task: job, result: failed ? "ok" : "failed" }, 0);
      durations.observe({ task: job }, durationMs / 1000);
      if (!failed) succeededAt.set({ task: job }, Date.now() / 1000);
    },
    catalogReloaded: (succeeded) => reloads.inc({ result: succeeded ? "ok" : "failed" }),
    ...createQueueMeters(registry),
  };
}

function createQueueMeters(registry: Registry): Pick<JobMeters, "countMail" | "setQueue"> {
  const registers = [registry];
  const mails = new Counter({
    name: "turnpike_mails_total",
    help: "Attempts of this process to send a mail, by result: sent, retried, given_up.",
    labelNames: ["result"] as const,
    registers,
  });
  for (const result of ["sent", "retried", "given_up"]) mails.inc({ result }, 0);
  const waiting = new Gauge({
    name: "turnpike_queue_waiting",
    help: "Items not done yet, by queue, up to 10000, for all instances: mail, stripe (its events), webhooks, batches.",
    labelNames: ["queue"] as const,
    registers,
  });
  const overdue = new Gauge({
    name: "turnpike_queue_overdue_seconds",
    help: "For how long the oldest item of a queue has been due; 0 if none is.",
    labelNames: ["queue"] as const,
    registers,
  });
  return {
    countMail: (result) => mails.inc({ result }),
    setQueue({ queue, ...figures }) {
      waiting.set({ queue }, figures.waiting);
      overdue.set({ queue }, figures.overdueMs / 1000);
    },
  };
}
