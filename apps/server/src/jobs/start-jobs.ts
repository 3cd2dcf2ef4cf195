// Starts the periodic jobs of a process: reaping leases, preparing partitions, checking the books, and
// the jobs that delete, send or reconcile. Each failure is logged and retried; none stops another job.
import {
  announceRecoveries,
  deleteDuePersons,
  deleteUnverified,
  purgeSignIn,
} from "@turnpike/auth";
import { purgeBatches } from "@turnpike/batches";
import {
  alertLowBalance,
  alertUnusualSpend,
  reconcile,
  topUpAutomatically,
} from "@turnpike/billing";
import { mailBudgets } from "@turnpike/budgets";
import { connectDatabase, type Db, preparePartitions, purgeAudit } from "@turnpike/db";
import { purgeStatus } from "@turnpike/gateway";
import { notifyKeyChange, revokeAccountKeys, revokeMemberKeys } from "@turnpike/keys";
import { checkRecentBooks, purgeInstances, purgeRateBuckets } from "@turnpike/ledger";
import { purgeOutbox } from "@turnpike/mail";
import { purgeObjects } from "@turnpike/objects";
import { purgePrompts } from "@turnpike/prompts";
import { replaceOldKey } from "@turnpike/receipts";
import { rollUpUsage } from "@turnpike/reports";
import { purgeWebhooks } from "@turnpike/webhooks";
import { purgeAnswers } from "../answers/stored-answers.ts";
import type { Config } from "../config.ts";
import type { Services } from "../services.ts";
import { startBatchJob } from "./batch-job.ts";
import { startInboxJob } from "./inbox-job.ts";
import { startMailJob } from "./mail-job.ts";
import { startQueueJob } from "./queue-job.ts";
import { startRunJobs } from "./run-jobs.ts";
import { createRunRequests } from "./run-requests.ts";
import { type JobServices, type StopJob, startJob, startSharedJob } from "./start-job.ts";
import { startWebhookJob } from "./webhook-job.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const reapMax = 500;

type Jobs = Services & JobServices;

/** Starts the jobs; the returned function stops them and waits for the ones running. */
export function startJobs(given: Services): StopJob {
  const services: Jobs = { ...given, requests: createRunRequests(given) };
  const { config, jobsDatabase, ledger, log } = services;
  const { db, sql } = jobsDatabase;
  const reap = async () => {
    const options = { silentMs: config.times.silentMs, limit: reapMax };
    const reaped = await ledger.reapLeases(options);
    if (reaped > 0) log.warn({ reaped }, "leases of dead processes closed");
  };
  const prepare = async () => {
    if (await preparePartitions(db)) return;
    log.warn("partitions of the next months wait for a long read of requests; trying again");
  };
  const jobs = [
    startJob(services, "reap leases", config.times.reapEveryMs, reap),
    startJob(services, "prepare partitions", config.times.preparePartitionsEveryMs, prepare),
    startCheckBooksJob(services),
    startRollUpJob(services),
    startSharedJob(services, "purge instances", hourMs, () => purgeInstances(db)),
    startSharedJob(services, "purge rate buckets", hourMs, () => purgeRateBuckets(sql)),
    startSharedJob(services, "purge answers", minuteMs, () => purgeAnswers(sql)),
    startSharedJob(services, "purge prompts", minuteMs, async () => {
      await purgePrompts(db);
    }),
    startSharedJob(services, "purge sign-in", hourMs, async () => {
      await purgeSignIn(db);
      await purgeOutbox(db);
      await purgeWebhooks(db);
    }),
    startSharedJob(services, "purge audit logs", hourMs, async () => {
      const deleted = await purgeAudit(db);
      if (deleted > 0) log.info({ deleted }, "rows that audit logs no longer keep deleted");
    }),
    startSharedJob(services, "purge status", hourMs, () => purgeStatus(db)),
    startSharedJob(services, "delete people", hourMs, async () => {
      const revoke = { account: revokeAccountKeys, member: revokeMemberKeys };
      for (const id of await deleteDuePersons(db, revoke)) await notifyKeyChange(db, id);
    }),
    startSharedJob(services, "delete unverified", hourMs, async () => {
      const deleted = await deleteUnverified(db);
      if (deleted > 0) log.info({ deleted }, "people who never verified their address deleted");
    }),
    startSharedJob(services, "announce recoveries", minuteMs, async () => {
      await announceRecoveries(db, config.PUBLIC_URL);
    }),
    startSharedJob(services, "alert low balance", minuteMs, async () => {
      await alertLowBalance(db, config.PUBLIC_URL);
    }),
    startSharedJob(services, "top up automatically", minuteMs, async () => {
      await topUpAutomatically(db, services.billing);
    }),
    startSharedJob(services, "mail budgets", minuteMs, async () => {
      await mailBudgets(db, config.PUBLIC_URL);
    }),
    startPurgeObjectsJob(services),
    startUnusualSpendJob(services),
    startSigningKeyJob(services),
    startReconcileJob(services),
    startInboxJob(services),
    startMailJob(services),
    startWebhookJob(services),
    startBatchJob(services),
    startSharedJob(services, "purge batches", hourMs, () => purgeBatches(db)),
    startRunJobs(services),
    startQueueJob(services),
  ];
  return async () => {
    await Promise.all(jobs.map((stop) => stop()));
  };
}

const longStatementMs = 300_000;

/** For statements that may take minutes, while those of other jobs may not. */
async function withOwnConnection<Result>(
  { DATABASE_URL: url }: Config,
  name: string,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const connection = connectDatabase({
    url,
    max: 1,
    applicationName: `turnpike ${name}`,
    statementTimeoutMs: longStatementMs,
    answerTimeoutMs: longStatementMs + 10_000,
  });
  try {
    return await work(connection.db);
  } finally {
    await connection.close();
  }
}

/** Where files are kept. */
function startPurgeObjectsJob(services: Jobs): StopJob {
  const { jobsDatabase, log, objects } = services;
  if (objects === undefined) return async () => undefined;
  return startSharedJob(services, "purge objects", minuteMs, async () => {
    const purged = await purgeObjects(jobsDatabase.db, objects.blobs);
    if (purged.rows > 0) log.info(purged, "files that expired deleted");
  });
}

const quarterHourMs = 900_000;

function startUnusualSpendJob(services: Jobs): StopJob {
  const { config, jobsDatabase } = services;
  return startSharedJob(services, "alert unusual spend", quarterHourMs, async () => {
    await alertUnusualSpend(jobsDatabase.db, config.PUBLIC_URL);
  });
}

/** Keeps what reports read instead of requests. */
function startRollUpJob(services: Services): StopJob {
  const { config } = services;
  const run = () => withOwnConnection(config, "usage", rollUpUsage);
  return startSharedJob(services, "roll up usage", minuteMs, run, { atStart: true });
}

/** Checks what changed, once for all instances; each of them shows the result in its metrics. */
function startCheckBooksJob(services: Jobs): StopJob {
  const { config, log, metrics } = services;
  const run = async () => {
    const found = await withOwnConnection(config, "checker", checkRecentBooks);
    const violations = Map.groupBy(found.violations, (row) => row.check);
    for (const [check, rows] of violations) {
      log.error({ check, keys: rows.slice(0, 20).map((row) => row.key) }, "the books are wrong");
    }
    return Object.fromEntries([...violations].map(([check, rows]) => [check, rows.length]));
  };
  return startSharedJob(services, "check books", config.CHECK_BOOKS_EVERY_MS, run, {
    observe({ result, finishedAt }) {
      const counts = Object.entries(result ?? {}).map(
        ([check, rows]) => [check, Number(rows)] as const,
      );
      metrics.setCheckerViolations(new Map(counts), finishedAt);
    },
  });
}

/** Makes the key that signs receipts, and replaces it when it is old. */
function startSigningKeyJob(services: Jobs): StopJob {
  const { jobsDatabase, log, sealer } = services;
  if (sealer === undefined) return async () => undefined;
  const run = async () => {
    const replaced = await replaceOldKey(jobsDatabase.db, sealer);
    if (replaced !== undefined) log.info(replaced, "a new key signs receipts");
  };
  return startSharedJob(services, "replace signing key", hourMs, run, { atStart: true });
}

function startReconcileJob(services: Jobs): StopJob {
  const { config, billing, jobsDatabase, log, metrics } = services;
  if (billing.mode !== "stripe") return async () => undefined;
  const run = async () => {
    const { unpaidCredits, ...found } = await reconcile(jobsDatabase.db, billing);
    if (found.missedEvents > 0 || found.failed > 0) log.warn(found, "missed Stripe events found");
    if (unpaidCredits.length > 0) {
      const topUpIds = unpaidCredits.slice(0, 20);
      log.error({ topUpIds, count: unpaidCredits.length }, "Stripe knows no payment for credits");
    }
    return unpaidCredits.length;
  };
  return startSharedJob(services, "reconcile", config.times.reconcileEveryMs, run, {
    // Events are most likely missed while no instance is running, so each start looks for them.
    atStart: true,
    observe: ({ result }) => metrics.setUnpaidCredits(Number(result ?? 0)),
  });
}
