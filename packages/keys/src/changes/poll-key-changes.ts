// Polls for changed keys in an instance that notifications do not reach. Each round looks back well
// before the last one: a change becomes visible when it commits, later than its timestamp says.

import type { Db } from "@turnpike/db";
import { type Log, startInterval } from "@turnpike/telemetry";
import { sql } from "drizzle-orm";

export type KeyPoll = { readonly start: () => void; readonly stop: () => void };

/** Longer than any transaction that changes a key may last. */
const lookBackSeconds = 15;

export type KeyPollOptions = {
  readonly db: Db;
  readonly log: Log;
  readonly intervalMs: number;
  readonly onChange: (id: string) => void;
};

export function pollKeyChanges(options: KeyPollOptions): KeyPoll {
  let stopRounds: (() => void) | undefined;
  return {
    start() {
      stopRounds ??= startRounds(options);
    },
    stop() {
      stopRounds?.();
      stopRounds = undefined;
    },
  };
}

/** Each start has its own state: a round that outlives its stop does not touch the next start. */
function startRounds({ db, log, intervalMs, onChange }: KeyPollOptions): () => void {
  let stopped = false;
  let since: string | undefined;

  async function round(): Promise<void> {
    const changed = await selectChanged(db, since);
    since = changed.at;
    if (!stopped) for (const id of changed.ids) onChange(id);
  }

  const loop = startInterval(intervalMs, round, { job: "poll key changes", log });
  void loop.runNow();
  return () => {
    stopped = true;
    void loop.stop();
  };
}

async function selectChanged(
  db: Db,
  since: string | undefined,
): Promise<{ readonly at: string; readonly ids: readonly string[] }> {
  // As JSON: so the driver needs no array types.
  const [row] = await db.execute<{ at: string; ids: string[] }>(sql`
    select clock_timestamp()::text as at, to_json(array(
      select id::text from api_keys
      where changed_at > coalesce(${since ?? null}::timestamptz, clock_timestamp())
        - make_interval(secs => ${lookBackSeconds})
    )) as ids`);
  if (row === undefined) throw new Error("the poll for changed keys returned no row");
  return row;
}
