// What the process does on its own: ends holds nobody will end, checks the books, prepares the
// partitions of the months ahead. Most are done once per period for all instances together.
import { deleteUnverified, purgeSignIn } from "@turnpike/auth";
import { alertLowBalance, reconcile } from "@turnpike/billing";
import { preparePartitions } from "@turnpike/db";
import { checkRecentBooks, purgeInstances } from "@turnpike/ledger";
import { purgeOutbox } from "@turnpike/mail";
import { startInboxJob } from "./inbox-job.ts";
import { startMailJob } from "./mail-job.ts";
import type { Services } from "./services.ts";
import { openJobStarter, type StartJob } from "./start-job.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const reapMax = 500;

/** Starts the jobs; the returned function stops them and waits for the ones running. */
export function startJobs(services: Services): () => Promise<void> {
  const { config, database, ledger, log } = services;
  const { startJob, close } = openJobStarter(services);
  const reap = async () => {
    const options = { silentMs: config.INSTANCE_SILENT_MS, limit: reapMax };
    const reaped = await ledger.reapLeases(options);
    if (reaped > 0) log.warn({ reaped }, "leases of dead processes closed");
  };
  const prepare = async () => {
    if (await preparePartitions(database.db)) return;
    log.warn("partitions of the next months wait for a long read of requests; trying again");
  };
  const jobs = [
    startJob("reap leases", config.REAP_EVERY_MS, reap, { inEachInstance: true }),
    startJob("prepare partitions", config.PREPARE_PARTITIONS_EVERY_MS, prepare, {
      inEachInstance: true,
    }),
    startCheckBooksJob(services, startJob),
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
    await close();
  };
}

/** What changed, once for all instances; each of them shows the result in its metrics. */
function startCheckBooksJob(services: Services, startJob: StartJob): () => Promise<void> {
  const { config, database, log, metrics } = services;
  const run = async () => {
    const found = await checkRecentBooks(database.db);
    const violations = Map.groupBy(found.violations, (row) => row.check);
    for (const [check, rows] of violations) {
      log.error({ check, keys: rows.slice(0, 20).map((row) => row.key) }, "the books are wrong");
    }
    return Object.fromEntries([...violations].map(([check, rows]) => [check, rows.length]));
  };
  return startJob("check books", config.CHECK_BOOKS_EVERY_MS, run, {
    observe({ result, finishedAt }) {
      const counts = Object.entries(result ?? {}).map(
        ([check, rows]) => [check, Number(rows)] as const,
      );
      metrics.setCheckerViolations(new Map(counts), finishedAt);
    },
  });
}

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
