// Closes leases that no one else will close: those of processes that ended or went silent. Each is closed at
// what was charged to it; a charge that still arrives is charged late.
import type { AccountId, ApiKeyId, Failpoint, InstanceId, LeaseId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import type { BoundedConnection } from "../batches/bounded-connection.ts";
import { classifyBatchFailure } from "../batches/classify-batch-failure.ts";
import { mayBeOneItem } from "../batches/group-commit-queue.ts";
import { releaseLeases } from "./release-leases.ts";

export type ReapOptions = {
  /** A process without a heartbeat for this long counts as dead. */
  readonly silentMs: number;
  /** The most leases to close in one round. */
  readonly limit: number;
};

type StaleLease = {
  readonly accountId: AccountId;
  readonly leaseId: LeaseId;
  readonly keyId: ApiKeyId | null;
};

/** Returns how many leases it closed; those of locked accounts wait for the next round. */
export async function reapLeases(
  connection: BoundedConnection,
  options: ReapOptions & {
    readonly instanceId: InstanceId;
    readonly log: Log;
    readonly failpoint: Failpoint;
  },
): Promise<number> {
  const stale = await connection.run((sql) => findStaleLeases(sql, options));
  if (stale.length === 0) return 0;
  options.failpoint("reap-sent");
  return closeStale(connection, stale, options);
}

function findStaleLeases(sql: Sql, options: ReapOptions): Promise<StaleLease[]> {
  return sql<StaleLease[]>`
    select l.account_id as "accountId", l.id as "leaseId", l.key_id as "keyId" from leases l
      left join instances i on i.id = l.instance_id
     where l.closed_at is null
       and (i.id is null or i.ended_at is not null
            or i.heartbeat_at < now() - ${options.silentMs}::int * interval '1 millisecond')
     limit ${options.limit}`;
}

async function closeStale(
  connection: BoundedConnection,
  leases: readonly StaleLease[],
  options: { readonly instanceId: InstanceId; readonly log: Log },
): Promise<number> {
  try {
    const answers = await connection.run((sql) =>
      releaseLeases(
        sql,
        leases.map((lease) => ({ ...lease, amountNanos: 0n, kind: "close" as const })),
        { instanceId: options.instanceId },
      ),
    );
    return answers.filter((answer) => answer.verdict === "closed").length;
  } catch (error) {
    if (!mayBeOneItem(classifyBatchFailure(error))) throw error;
    if (leases.length === 1) {
      options.log.error({ err: error, leaseId: leases[0]?.leaseId }, "lease not reaped");
      return 0;
    }
    // One lease that cannot be closed must not keep the others open.
    const middle = leases.length >> 1;
    const first = await closeStale(connection, leases.slice(0, middle), options);
    return first + (await closeStale(connection, leases.slice(middle), options));
  }
}
