// Measures the queues that jobs work on, once for all instances; each of them shows the result in its metrics.
import { batchQueue } from "@turnpike/batches";
import { stripeQueue } from "@turnpike/billing";
import type { Db } from "@turnpike/db";
import { mailQueue } from "@turnpike/mail";
import { measureQueue } from "@turnpike/queue";
import type { QueueFigures } from "@turnpike/telemetry";
import { webhookQueue } from "@turnpike/webhooks";
import type { Services } from "../services.ts";
import { type StopJob, startSharedJob } from "./start-job.ts";

const everyMs = 30_000;

export function startQueueJob(services: Services): StopJob {
  const { jobsDatabase, metrics } = services;
  const measure = () => measureQueues(jobsDatabase.db);
  return startSharedJob(services, "measure queues", everyMs, measure, {
    atStart: true,
    observe({ result }) {
      for (const figures of parseFigures(result)) metrics.setQueue(figures);
    },
  });
}

export async function measureQueues(db: Db): Promise<readonly QueueFigures[]> {
  return [
    await measureQueue(db, mailQueue),
    await measureQueue(db, stripeQueue),
    await measureQueue(db, webhookQueue),
    // Their lines wait for each other, so that they are overdue says nothing.
    await measureQueue(db, batchQueue),
  ];
}

const queues = ["mail", "stripe", "webhooks", "batches"] as const;

function* parseFigures(result: unknown): Iterable<QueueFigures> {
  if (!Array.isArray(result)) return;
  for (const { queue, waiting, overdueMs } of result) {
    const name = queues.find((known) => known === queue);
    if (name === undefined) continue;
    yield { queue: name, waiting: Number(waiting), overdueMs: Number(overdueMs) };
  }
}
