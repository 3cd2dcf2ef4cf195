// What is reserved of an account's money: its open leases, by instance and hour.
import type { AccountId } from "@turnpike/base";
import { type Db, leases } from "@turnpike/db";
import { formatUsd, toNanos } from "@turnpike/terms";
import { and, desc, eq, isNull } from "drizzle-orm";

const leasesMax = 200;

export async function listLeases(db: Db, accountId: AccountId) {
  const rows = await db
    .select({
      id: leases.id,
      keyId: leases.keyId,
      instanceId: leases.instanceId,
      hour: leases.hour,
      grantedNanos: leases.grantedNanos,
      spentNanos: leases.spentNanos,
      calls: leases.calls,
      openedAt: leases.openedAt,
    })
    .from(leases)
    .where(and(eq(leases.accountId, accountId), isNull(leases.closedAt)))
    .orderBy(desc(leases.openedAt))
    .limit(leasesMax);
  return rows.map(({ hour, openedAt, grantedNanos, spentNanos, ...lease }) => ({
    ...lease,
    grantedUsd: formatUsd(grantedNanos),
    spentUsd: formatUsd(spentNanos),
    heldUsd: formatUsd(toNanos(grantedNanos - spentNanos)),
    hour: hour.toISOString(),
    openedAt: openedAt.toISOString(),
  }));
}
