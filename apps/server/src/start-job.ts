// The clock of periodic jobs: one run at a time in this process and, by an advisory lock, in all.
import { type Connection, connectDatabase } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { claimRun, type FinishedRun, finishRun, readFinishedRun } from "./claim-run.ts";
import type { Services } from "./services.ts";

/** At least the number of jobs that may run at once: each keeps a connection while it works. */
const locksMax = 10;

export type JobOptions = {
  /** Runs once when the process starts, however recent the last run is. */
  readonly atStart?: boolean;
  /** Runs every `everyMs` in each instance, one after the other, instead of once in all. */
  readonly inEachInstance?: boolean;
  /** Gets the newest result of any instance, some time after each run. */
  readonly observe?: (run: FinishedRun) => void;
};

export type StartJob = (
  name: string,
  everyMs: number,
  /** Resolves with what `observe` gets, as JSON. */
  run: () => Promise<unknown>,
  options?: JobOptions,
) => () => Promise<void>;

export type JobStarter = { readonly startJob: StartJob; readonly close: () => Promise<void> };

/** A pool of their own: minutes of a job must not take the connections that read callers' keys. */
export function openJobStarter({ config, database, log }: Services): JobStarter {
  const locks = connectDatabase({
    url: config.DATABASE_URL,
    max: locksMax,
    applicationName: "turnpike jobs",
  });
  return {
    startJob: (name, everyMs, run, options = {}) => {
      const runOnce = (force: boolean) =>
        withLock(locks, log, name, async () => {
          if (options.inEachInstance === true) return void (await run());
          if (await claimRun(database.sql, name, everyMs, force)) {
            await finishRun(database.sql, name, await run());
          }
          if (options.observe === undefined) return;
          const last = await readFinishedRun(database.sql, name);
          if (last !== undefined) options.observe(last);
        });
      const lookMs = options.inEachInstance === true ? everyMs : readLookMs(everyMs);
      return repeat(lookMs, runOnce, options.atStart === true);
    },
    close: locks.close,
  };
}

/** How often an instance looks whether a run is due: often enough to try a failed one again soon. */
function readLookMs(everyMs: number): number {
  return Math.min(everyMs, Math.max(everyMs / 10, 1_000), 60_000);
}

function repeat(
  everyMs: number,
  run: (force: boolean) => Promise<void>,
  atStart: boolean,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const start = (force: boolean) => {
    running ??= run(force).finally(() => {
      running = undefined;
    });
  };
  if (atStart) start(true);
  const timer = setInterval(() => start(false), everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Does nothing while another process has the lock; logs what `work` throws. */
async function withLock(
  locks: Connection,
  log: Log,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await locks.sql.begin(async (transaction) => {
      const [row] = await transaction<{ mine: boolean }[]>`
        select pg_try_advisory_xact_lock(hashtext(${`turnpike job ${name}`})) as mine`;
      if (!row?.mine) return;
      // It waits here while the job works elsewhere, for minutes if need be.
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await work();
    });
  } catch (error) {
    log.warn({ err: error, job: name }, "job failed");
  }
}
