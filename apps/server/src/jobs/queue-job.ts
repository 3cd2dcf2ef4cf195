// Measures the queues that jobs work on, once for all instances; each of them shows the result in its metrics. A
// queue is counted up to a bound, so that a measurement costs the same however long one has become.
import type { Sql } from "@turnpike/db";
import type { QueueFigures } from "@turnpike/telemetry";
import type { Services } from "../services.ts";
import { type StopJob, startSharedJob } from "./start-job.ts";

const everyMs = 30_000;
const countMax = 10_000;

export function startQueueJob(services: Services): StopJob {
  const { jobsDatabase, metrics } = services;
  return startSharedJob(
    services,
    "measure queues",
    everyMs,
    () => measureQueues(jobsDatabase.sql),
    {
      atStart: true,
      observe({ result }) {
        for (const figures of readFigures(result)) metrics.setQueue(figures);
      },
    },
  );
}

type Measured = { readonly queue: string; readonly waiting: number; readonly overdueMs: number };

/** The items that are due first, by the indexes of the workers. */
export async function measureQueues(sql: Sql): Promise<readonly Measured[]> {
  return await sql<Measured[]>`
    select queue, count(due)::int as waiting,
           greatest(0, coalesce(extract(epoch from now() - min(due)) * 1000, 0))::float8 as "overdueMs"
      from (values ('mail'), ('stripe'), ('webhooks')) queues (queue)
      left join lateral (
        (select o.send_after as due from outbox o
          where queue = 'mail' and o.sent_at is null and o.failed_at is null
          order by o.send_after limit ${countMax})
        union all
        (select s.next_attempt_at from stripe_inbox s
          where queue = 'stripe' and s.done_at is null and s.dead_at is null
          order by s.next_attempt_at limit ${countMax})
        union all
        (select w.send_after from webhook_messages w
          where queue = 'webhooks' and w.state = 'waiting' limit ${countMax})
      ) items on true
     group by queue`;
}

function* readFigures(result: unknown): Iterable<QueueFigures> {
  if (!Array.isArray(result)) return;
  for (const { queue, waiting, overdueMs } of result) {
    if (queue !== "mail" && queue !== "stripe" && queue !== "webhooks") continue;
    yield { queue, waiting: Number(waiting), overdueMs: Number(overdueMs) };
  }
}
