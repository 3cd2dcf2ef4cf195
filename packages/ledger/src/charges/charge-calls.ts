// Sends one batch of finished calls to the SQL function `charge_calls`, or a single one to `charge_single_call`: one row
// each, one update per lease, one durable commit.

import type { Failpoint, InstanceId } from "@turnpike/base";
import { arrayLiteral, elementsOf, type RequestState, type Sql } from "@turnpike/db";
import { parseNanos, toNanos } from "@turnpike/terms";
import type { Charge, Charged } from "../hold.ts";
import type { Lease } from "../leases/lease.ts";
import { requestMembers, writeRequest } from "./write-request.ts";

/** A charge with the lease that pays for it. */
export type LeasedCharge = {
  readonly charge: Charge;
  readonly lease: Lease;
  /** The most the lease may spend on it; no more than was held in any case. */
  readonly capNanos: bigint;
  readonly late: boolean;
};

type Verdict = Charged["verdict"] | "late";

const batchStatement = `select verdicts::text, charged::text, shortfalls::text
  from charge_calls(${requestMembers}, $1, $2)`;
const singleStatement = `select '{' || verdict || '}' as verdicts, '{' || charged || '}' as charged,
    '{' || shortfall || '}' as shortfalls
  from charge_single_call(${requestMembers}, $1, $2)`;

type Options = { readonly instanceId: InstanceId; readonly failpoint: Failpoint };

/** `late` if the lease was closed meanwhile: then nothing was written. */
export async function chargeCalls(
  sql: Sql,
  items: readonly LeasedCharge[],
  { instanceId, failpoint }: Options,
): Promise<(Charged | "late")[]> {
  const nowMs = performance.now();
  const rows = items.map((item) => writeRow(item, instanceId));
  const heldMs = items.map(({ charge }) => Math.round(nowMs - charge.hold.heldAtMs));
  const [row] = rows;
  const isSingle = rows.length === 1 && row !== undefined;
  const pending = sql
    .unsafe<{ verdicts: string; charged: string; shortfalls: string }[]>(
      isSingle ? singleStatement : batchStatement,
      isSingle ? [row, heldMs[0] ?? 0] : [arrayLiteral(rows), arrayLiteral(heldMs)],
      { prepare: true },
    )
    .execute();
  failpoint("settle-sent");
  const [answer] = await pending;
  failpoint("settle-committed");
  if (answer === undefined) throw new Error("the function returned no row");
  const charged = elementsOf(answer.charged);
  const shortfalls = elementsOf(answer.shortfalls);
  return elementsOf<Verdict>(answer.verdicts).map((verdict, index) => {
    if (verdict === "late") return "late";
    return {
      verdict,
      chargedNanos: parseNanos(charged[index] ?? ""),
      shortfallNanos: parseNanos(shortfalls[index] ?? ""),
    };
  });
}

function writeRow({ charge, lease, capNanos, late }: LeasedCharge, instanceId: InstanceId): string {
  const { hold, state, costNanos } = charge;
  return writeRequest({
    ...hold.request.facts,
    instanceId,
    leaseId: lease.id,
    state: stateOf(state, late),
    heldNanos: hold.grantedNanos,
    costNanos,
    // Up to this.
    chargedNanos: toNanos(capNanos),
  });
}

function stateOf(state: Charge["state"], late: boolean): RequestState {
  return late && state === "settled" ? "late_settled" : state;
}
