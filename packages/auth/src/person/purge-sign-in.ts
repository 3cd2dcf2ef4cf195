// Deletes what sign-in leaves behind: expired sessions, links and counters, and people who registered an
// address and never verified it. The database decides who that is: never anyone with a trace of money.

import {
  type Db,
  deleteInSlices,
  devices,
  emailTokens,
  factorChallenges,
  providerAttempts,
  sessions,
  throttles,
} from "@turnpike/db";
import { sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

/**
 * Expired sessions immediately; links, counters and unused devices some time after they expired. The clock of the
 * database decides: a process whose own clock is ahead would otherwise sign everybody out.
 */
export async function purgeSignIn(db: Db): Promise<void> {
  const ago = (days: number) => sql`now() - make_interval(days => ${days}::int)`;
  const deleteOlder = (table: PgTable, at: PgColumn, days: number) =>
    deleteInSlices(db, table, sql`${at} < ${ago(days)}`);
  await deleteOlder(sessions, sessions.expiresAt, 0);
  await deleteOlder(factorChallenges, factorChallenges.expiresAt, 0);
  await deleteOlder(emailTokens, emailTokens.expiresAt, 30);
  await deleteOlder(providerAttempts, providerAttempts.expiresAt, 1);
  await deleteOlder(throttles, throttles.since, 31);
  await deleteOlder(devices, devices.lastSeenAt, 400);
}

/** At least as many per hour as may sign up. */
const deletedMax = 1_000;

/** Those who last tried seven days ago. Returns how many people were deleted, each with their empty account. */
export async function deleteUnverified(db: Db): Promise<number> {
  const [row] = await db.execute<{ deleted: number }>(
    sql`select delete_unverified_persons(${deletedMax}::int) as deleted`,
  );
  return row?.deleted ?? 0;
}
