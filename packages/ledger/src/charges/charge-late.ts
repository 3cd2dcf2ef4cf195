// Charges calls whose lease was closed before they ended: this process had been silent. What is still
// available, up to the hold, is acquired in a separate lease and charged there; the rest of the cost
// is shortfall. A suspended account or a revoked key pays too: the answer was delivered.
import type { Failpoint, InstanceId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import { minNanos, zeroNanos } from "@turnpike/terms";
import type { BoundedConnection } from "../batches/bounded-connection.ts";
import type { Charge, Charged } from "../hold.ts";
import { type Acquisition, acquireLeases } from "../leases/acquire-leases.ts";
import type { Lease } from "../leases/lease.ts";
import type { LeaseBook } from "../leases/lease-book.ts";
import { chargeCalls } from "./charge-calls.ts";

type Options = {
  readonly book: LeaseBook;
  readonly instanceId: InstanceId;
  readonly failpoint: Failpoint;
};

type Item = { readonly charge: Charge; readonly lease: Lease };

/**
 * Returns results in order. A retry is harmless: each request is written once, and unused leases
 * are closed.
 */
export async function chargeLate(
  connection: BoundedConnection,
  options: Options,
  charges: readonly Charge[],
): Promise<Charged[]> {
  const items = charges.map((charge) => ({
    charge,
    lease: options.book.openRetired(charge.hold.request.facts),
  }));
  try {
    const caps = await connection.run((sql) => acquireCaps(sql, options, items));
    return await connection.run((sql) => chargeCapped(sql, options, items, caps));
  } finally {
    for (const { lease } of items) options.book.endAcquisition({ lease, ownNanos: 0n });
  }
}

async function acquireCaps(
  sql: Sql,
  { instanceId }: Options,
  items: readonly Item[],
): Promise<bigint[]> {
  const batch = await acquireLeases(sql, items.map(describe), {
    instanceId,
    wait: true,
    late: true,
  });
  return items.map((_, index) => {
    const answer = batch.answers[index];
    if (answer === undefined || answer === "busy" || answer.verdict !== "held") return 0n;
    return answer.grantedNanos;
  });
}

function describe({ charge, lease }: Item): Acquisition {
  const { hold, costNanos } = charge;
  return {
    lease,
    wantNanos: minNanos(costNanos, hold.grantedNanos),
    floorNanos: zeroNanos,
    ownNanos: 0n,
    aheadNanos: 0n,
    atMostHalf: false,
    allOrNothing: false,
  };
}

async function chargeCapped(
  sql: Sql,
  { instanceId, failpoint }: Options,
  items: readonly Item[],
  caps: readonly bigint[],
): Promise<Charged[]> {
  const leased = items.map((item, index) => ({ ...item, capNanos: caps[index] ?? 0n, late: true }));
  const answers = await chargeCalls(sql, leased, { instanceId, failpoint });
  return answers.map((answer) => {
    if (answer === "late") throw new Error("a lease acquired for a late charge was closed");
    return answer;
  });
}
