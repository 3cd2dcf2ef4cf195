// Asks which keys changed lately, for an instance that notifications do not reach. Each round looks
// back well before the last one: a change becomes visible when it commits, later than its time says.

import type { Db } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
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

/** Its state is its own: a round still under way when it is stopped cannot go on under the next start. */
function startRounds({ db, log, intervalMs, onChange }: KeyPollOptions): () => void {
  let timer: Timer | undefined;
  let stopped = false;
  let failing = false;
  let since: string | undefined;

  async function round(): Promise<void> {
    try {
      const changed = await selectChanged(db, since);
      since = changed.at;
      failing = false;
      if (!stopped) for (const id of changed.ids) onChange(id);
    } catch (thrown) {
      if (!failing) log.warn({ err: thrown }, "cannot poll for API key changes");
      failing = true;
    }
    if (stopped) return;
    timer = setTimeout(() => void round(), intervalMs);
    timer.unref();
  }

  void round();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

async function selectChanged(
  db: Db,
  since: string | undefined,
): Promise<{ readonly at: string; readonly ids: readonly string[] }> {
  // As JSON: the driver is not asked to know array types.
  const [row] = await db.execute<{ at: string; ids: string[] }>(sql`
    select clock_timestamp()::text as at, to_json(array(
      select id::text from api_keys
      where changed_at > coalesce(${since ?? null}::timestamptz, clock_timestamp())
        - make_interval(secs => ${lookBackSeconds})
    )) as ids`);
  if (row === undefined) throw new Error("the poll for changed keys answered nothing");
  return row;
}
