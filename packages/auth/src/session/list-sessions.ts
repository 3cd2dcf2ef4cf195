// Where a person is signed in, most recently used first.

import { type Db, sessions } from "@turnpike/db";
import { and, desc, eq, gt, sql } from "drizzle-orm";
import { describeDevice } from "./describe-device.ts";
import type { AuthenticatedSession } from "./session.ts";

export type ListedSession = {
  readonly id: string;
  readonly device: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** The session that made this request. */
  readonly current: boolean;
};

const sessionsMax = 100;

export async function listSessions(
  db: Db,
  { person, session }: AuthenticatedSession,
): Promise<readonly ListedSession[]> {
  const rows = await db
    .select({
      id: sessions.publicId,
      address: sessions.address,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.personId, person.id), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(sessionsMax);
  return rows.map(({ userAgent, ...row }) => ({
    ...row,
    device: describeDevice(userAgent),
    current: row.id === session.publicId,
  }));
}
