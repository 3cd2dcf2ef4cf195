// Adds what this process counted for the public status to the database, once a minute and at its end, and deletes days
// that are too old. What could not be added is counted with the next minute.
import { type Db, statusDays, statusHistoryDays } from "@turnpike/db";
import { type Log, type Metrics, startInterval } from "@turnpike/telemetry";
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type StatusCounts, StatusTally } from "./status-tally.ts";

const saveEveryMs = 60_000;
/** Pairs of model and provider that one statement adds. */
const sliceRows = 200;
const purgeRows = 2_000;

export type KeptStatus = {
  readonly tally: StatusTally;
  readonly save: () => Promise<void>;
  /** Saves one last time. */
  readonly close: () => Promise<void>;
};

export function persistStatus(options: {
  readonly db: Db;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "jobRan">;
}): KeptStatus {
  const { db, log, metrics } = options;
  const tally = new StatusTally();

  async function saveAll(): Promise<void> {
    const counts = tally.take();
    for (let from = 0; from < counts.length; from += sliceRows) {
      try {
        await add(db, counts.slice(from, from + sliceRows));
      } catch (error) {
        tally.giveBack(counts.slice(from));
        throw error;
      }
    }
  }

  const loop = startInterval(saveEveryMs, saveAll, { job: "save status", log, metrics });
  return {
    tally,
    save: loop.runNow,
    async close() {
      await loop.runNow();
      await loop.stop();
    },
  };
}

async function add(db: Db, counts: readonly StatusCounts[]): Promise<void> {
  const day = sql`(now() at time zone 'UTC')::date`;
  const rows = counts.map((count) => ({
    day,
    ...count,
    firstTokens: [...count.firstTokens],
    answeredByHour: inThisHour(count.answered),
    failedByHour: inThisHour(count.failed),
  }));
  await db
    .insert(statusDays)
    // In the same order in every instance, so that two of them never wait for each other.
    .values(rows.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)))
    .onConflictDoUpdate({
      target: [statusDays.day, statusDays.model, statusDays.provider],
      set: {
        answered: sql`${statusDays.answered} + excluded.answered`,
        failed: sql`${statusDays.failed} + excluded.failed`,
        firstTokens: addedUp(statusDays.firstTokens),
        answeredByHour: addedUp(statusDays.answeredByHour),
        failedByHour: addedUp(statusDays.failedByHour),
      },
    });
}

function inThisHour(count: number): SQL {
  return sql`array(
    select case when hour = date_part('hour', now() at time zone 'UTC') then ${count}::bigint else 0 end
      from generate_series(0, 23) as hour order by hour)`;
}

/** Place by place; the shorter one counts as filled with zeros. */
function addedUp(column: AnyPgColumn): SQL {
  return sql`array(
    select coalesce(old, 0) + coalesce(new, 0)
      from unnest(${column}, excluded.${sql.identifier(column.name)}) with ordinality as u(old, new, place)
     order by place)`;
}

function orderOf({ model, provider }: Pick<StatusCounts, "model" | "provider">): string {
  return `${model}\n${provider}`;
}

/** In slices; returns how many rows were deleted. */
export async function purgeStatus(db: Db): Promise<number> {
  let deleted = 0;
  for (;;) {
    const gone = await db.execute(sql`
      delete from status_days where (day, model, provider) in (
        select day, model, provider from status_days
         where day < (now() at time zone 'UTC')::date - ${statusHistoryDays}::int
         order by day limit ${purgeRows}) returning 1`);
    deleted += gone.length;
    if (gone.length < purgeRows) return deleted;
  }
}
