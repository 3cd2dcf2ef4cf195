// What the process does on its own: ends holds nobody will end, checks the books, prepares the
// partitions of the months ahead. Where one instance is enough, an advisory lock picks it.
import { deleteUnverified, purgeSignIn } from "@turnpike/auth";
import { alertLowBalance, reconcile } from "@turnpike/billing";
import { type Connection, connectDatabase, preparePartitions, purgeOutbox } from "@turnpike/db";
import { checkBooks, purgeInstances } from "@turnpike/ledger";
import type { Log } from "@turnpike/telemetry";
import { startInboxJob } from "./inbox-job.ts";
import { startMailJob } from "./mail-job.ts";
import type { Services } from "./services.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const reapMax = 500;
/** At least the number of jobs that may run at once: each keeps a connection while it works. */
const locksMax = 10;

/** Starts the jobs; the returned function stops them and waits for the ones running. */
export function startJobs(services: Services): () => Promise<void> {
  const { config, database, ledger, log, metrics } = services;
  // A pool of their own: minutes of a job must not wait for, or keep, what callers' keys are read by.
  const locks = connectDatabase({
    url: config.DATABASE_URL,
    max: locksMax,
    applicationName: "turnpike jobs",
  });
  const startJob = jobStarter(locks, log);
  const jobs = [
    startJob("reap holds", config.REAP_EVERY_MS, async () => {
      const options = { silentMs: config.INSTANCE_SILENT_MS, limit: reapMax };
      const reaped = await ledger.reapHolds(options);
      if (reaped > 0) log.warn({ reaped }, "holds expired");
    }),
    startJob("check books", config.CHECK_BOOKS_EVERY_MS, async () => {
      const violations = Map.groupBy(await checkBooks(database.db), (row) => row.check);
      metrics.setCheckerViolations(
        new Map([...violations].map(([name, rows]) => [name, rows.length])),
      );
      for (const [check, rows] of violations) {
        log.error({ check, keys: rows.slice(0, 20).map((row) => row.key) }, "the books are wrong");
      }
    }),
    startJob("prepare partitions", config.PREPARE_PARTITIONS_EVERY_MS, async () => {
      if (await preparePartitions(database.db)) return;
      log.warn("partitions of the next months wait for a long read of requests; trying again");
    }),
    startJob("purge instances", hourMs, () => purgeInstances(database.sql)),
    startJob("purge sign-in", hourMs, async () => {
      await purgeSignIn(database.db);
      await purgeOutbox(database.db);
    }),
    startJob("delete unverified", hourMs, async () => {
      const deleted = await deleteUnverified(database.db);
      if (deleted > 0) log.info({ deleted }, "people who never verified their address deleted");
    }),
    startJob("alert low balance", minuteMs, async () => {
      await alertLowBalance(database.db, `${config.PUBLIC_URL}/wallet`);
    }),
    startReconcileJob(services, startJob),
    startInboxJob(services),
    startMailJob(services),
  ];
  return async () => {
    await Promise.all(jobs.map((stop) => stop()));
    await locks.close();
  };
}

type StartJob = (
  name: string,
  everyMs: number,
  run: () => Promise<void>,
  options?: { readonly atStart: boolean },
) => () => Promise<void>;

function startReconcileJob(services: Services, startJob: StartJob): () => Promise<void> {
  const { config, billing, billingDatabase, log } = services;
  if (billing.mode !== "stripe") return async () => undefined;
  const run = async () => {
    const found = await reconcile(billingDatabase.db, billing);
    if (found.missedEvents > 0 || found.failed > 0)
      log.warn(found, "Stripe was asked what we missed");
  };
  // What was missed was missed, most likely, while nothing ran.
  return startJob("reconcile", config.RECONCILE_EVERY_MS, run, { atStart: true });
}

/** One run at a time in this process, and, by lock, in all processes. */
function jobStarter(locks: Connection, log: Log): StartJob {
  return (name, everyMs, run, options) => {
    let running: Promise<void> | undefined;
    const runOnce = async () => {
      try {
        await locks.sql.begin(async (transaction) => {
          const [row] = await transaction<{ mine: boolean }[]>`
            select pg_try_advisory_xact_lock(hashtext(${`turnpike job ${name}`})) as mine`;
          if (!row?.mine) return;
          // It waits here while the job works elsewhere, for minutes if need be.
          await transaction`set local idle_in_transaction_session_timeout = 0`;
          await run();
        });
      } catch (error) {
        log.warn({ err: error, job: name }, "job failed");
      }
    };
    const start = () => {
      running ??= runOnce().finally(() => {
        running = undefined;
      });
    };
    if (options?.atStart) start();
    const timer = setInterval(start, everyMs);
    return async () => {
      clearInterval(timer);
      await running;
    };
  };
}
