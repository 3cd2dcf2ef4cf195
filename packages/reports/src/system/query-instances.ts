// Which processes serve this installation, for operators: what they are, whether they are alive, and the money they have
// reserved.
import type { InstanceId } from "@turnpike/base";
import { type Db, type InstanceFacts, instances, leases } from "@turnpike/db";
import { type Nanos, toNanos } from "@turnpike/terms";
import { and, count, desc, eq, isNull, sql } from "drizzle-orm";

export type InstanceState = "running" | "draining" | "silent" | "ended";

export type InstanceRow = {
  readonly id: InstanceId;
  readonly state: InstanceState;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
  readonly drainingAt: Date | null;
  readonly endedAt: Date | null;
  readonly schemaVersion: number | null;
  /** Null for a version that does not tell. */
  readonly facts: InstanceFacts | null;
  readonly openLeases: number;
  readonly grantedNanos: Nanos;
};

const rowsMax = 200;

/** Running ones first, then those that ended within a day, newest first. */
export async function queryInstances(db: Db, silentMs = 60_000): Promise<InstanceRow[]> {
  const open = db
    .select({
      instanceId: leases.instanceId,
      leases: count().as("open_leases"),
      granted: sql<string>`sum(${leases.grantedNanos})`.as("granted"),
    })
    .from(leases)
    .where(isNull(leases.closedAt))
    .groupBy(leases.instanceId)
    .as("open");
  const isSilent = sql`${instances.heartbeatAt} < now() - ${silentMs}::bigint * interval '1 millisecond'`;
  const state = sql<InstanceState>`case
    when ${instances.endedAt} is not null then 'ended' when ${isSilent} then 'silent'
    when ${instances.drainingAt} is not null then 'draining' else 'running' end`;
  const rows = await db
    .select({
      id: instances.id,
      state,
      startedAt: instances.startedAt,
      heartbeatAt: instances.heartbeatAt,
      drainingAt: instances.drainingAt,
      endedAt: instances.endedAt,
      schemaVersion: instances.schemaVersion,
      facts: instances.facts,
      openLeases: sql<number>`coalesce(${open.leases}, 0)::int`,
      granted: sql<string>`coalesce(${open.granted}, 0)::text`,
    })
    .from(instances)
    .leftJoin(open, eq(open.instanceId, instances.id))
    .orderBy(sql`${instances.endedAt} is not null`, desc(instances.startedAt), desc(instances.id))
    .limit(rowsMax);
  return rows.map(({ granted, ...row }) => ({ ...row, grantedNanos: toNanos(BigInt(granted)) }));
}

/** Of the running process that started last. */
export async function queryNewestFacts(db: Db): Promise<InstanceFacts | undefined> {
  const [row] = await db
    .select({ facts: instances.facts })
    .from(instances)
    .where(and(isNull(instances.endedAt), sql`${instances.facts} is not null`))
    .orderBy(desc(instances.startedAt), desc(instances.id))
    .limit(1);
  return row?.facts ?? undefined;
}
