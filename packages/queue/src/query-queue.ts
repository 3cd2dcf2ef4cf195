// What operators see of a queue: how many items wait and since when, those that failed and why, and its figures for the
// metrics. Only items that wait or were given up are read: how many there ever were does not matter.
import type { Db } from "@turnpike/db";
import type { QueueFigures } from "@turnpike/telemetry";
import { sql } from "drizzle-orm";
import { named, type Queue, selectRows } from "./queue.ts";

/** Times in ISO 8601. */
export type QueueRow<Facts> = Facts & {
  readonly createdAt: string;
  readonly attempts: number;
  /** Null for an item that was given up. */
  readonly nextAttemptAt: string | null;
  readonly gaveUpAt: string | null;
  readonly error: string | null;
};

export type QueueState<Facts> = {
  readonly waiting: number;
  /** Since when the first of them waits. */
  readonly oldestAt: string | null;
  /** 0 where those are not listed. */
  readonly givenUp: number;
  /** Those that failed at least once, or were given up. */
  readonly rows: readonly QueueRow<Facts>[];
};

const rowsMax = 100;

export async function queryQueue<Facts>(
  db: Db,
  { table, waits, listed, ...queue }: Queue<never, Facts>,
): Promise<QueueState<Facts>> {
  const { givenUp } = listed;
  const [counts] = await selectRows<{ waiting: number; oldestAt: string | null; givenUp: number }>(
    db,
    sql`select count(*)::int as waiting, min(${named(queue.createdAt)}) as "oldestAt",
               (select count(*)::int from ${named(table)} where ${givenUp?.is ?? sql`false`}) as "givenUp"
          from ${named(table)} where ${waits}`,
  );
  const rows = await selectRows<QueueRow<Facts>>(
    db,
    sql`select ${listed.facts}, ${named(queue.createdAt)} as "createdAt", attempts,
               case when ${waits} then ${named(queue.dueAt)} end as "nextAttemptAt",
               ${givenUp ? named(givenUp.at) : sql`null`} as "gaveUpAt", ${listed.error} as error
          from ${named(table)} t
         where (${waits} and attempts > 0) ${givenUp && sql`or (${givenUp.is})`}
         order by ${listed.order} limit ${rowsMax}`,
  );
  return {
    waiting: counts?.waiting ?? 0,
    oldestAt: timeOf(counts?.oldestAt ?? null),
    givenUp: counts?.givenUp ?? 0,
    rows: rows.map((row) => ({
      ...row,
      createdAt: new Date(row.createdAt).toISOString(),
      nextAttemptAt: timeOf(row.nextAttemptAt),
      gaveUpAt: timeOf(row.gaveUpAt),
    })),
  };
}

/** Of a time as PostgreSQL writes it. */
function timeOf(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}

/** A queue is counted up to here, so that a measurement costs the same however long one has become. */
const countMax = 10_000;

/** The items that are due first, by the index of the workers, unless they claim in another order. */
export async function measureQueue(
  db: Db,
  { name, table, waits, ...queue }: Queue<never>,
): Promise<QueueFigures> {
  const dueAt = named(queue.dueAt);
  const order = queue.claim.among === undefined ? sql`order by ${dueAt}` : sql``;
  const [row] = await selectRows<{ waiting: number; overdueMs: number }>(
    db,
    sql`select count(*)::int as waiting,
               greatest(0, coalesce(extract(epoch from now() - min(due)) * 1000, 0))::float8 as "overdueMs"
          from (select ${dueAt} as due from ${named(table)} where ${waits} ${order} limit ${countMax}) items`,
  );
  return { queue: name, waiting: row?.waiting ?? 0, overdueMs: row?.overdueMs ?? 0 };
}
