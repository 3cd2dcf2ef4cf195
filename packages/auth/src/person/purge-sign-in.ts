// Deletes what sign-in leaves behind: expired sessions, links and counters, and people who registered an
// address and never verified it. The database decides who that is: never anyone with a trace of money.

import {
  type Db,
  devices,
  emailTokens,
  factorChallenges,
  providerAttempts,
  sessions,
  throttles,
} from "@turnpike/db";
import { lt, sql } from "drizzle-orm";

/**
 * Expired sessions immediately; links, counters and unused devices some time after they expired. The clock of the
 * database decides: a process whose own clock is ahead would otherwise sign everybody out.
 */
export async function purgeSignIn(db: Db): Promise<void> {
  const ago = (days: number) => sql`now() - make_interval(days => ${days}::int)`;
  await db.delete(sessions).where(lt(sessions.expiresAt, ago(0)));
  await db.delete(factorChallenges).where(lt(factorChallenges.expiresAt, ago(0)));
  await db.delete(emailTokens).where(lt(emailTokens.expiresAt, ago(30)));
  await db.delete(providerAttempts).where(lt(providerAttempts.expiresAt, ago(1)));
  await db.delete(throttles).where(lt(throttles.since, ago(31)));
  await db.delete(devices).where(lt(devices.lastSeenAt, ago(400)));
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
