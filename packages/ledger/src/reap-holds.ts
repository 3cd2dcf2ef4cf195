// Ends holds nobody will end: past their lifetime, or placed by a process that stopped or fell
// silent. Their money goes back; a settlement that still arrives afterwards is settled late.
import { type Failpoint, zeroNanos } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import type { BoundedConnection } from "./bounded-connection.ts";
import { noFacts, type Settlement } from "./hold.ts";
import { judgeFailure } from "./judge-failure.ts";
import { settleHolds } from "./settle-holds.ts";

export type ReapOptions = {
  /** A process without a heartbeat for so long counts as dead. */
  readonly silentMs: number;
  /** The most holds to end in one round. */
  readonly limit: number;
};

type StaleHold = Pick<Settlement, "id" | "accountId">;

/** Returns how many holds it expired; those of locked accounts wait for the next round. */
export async function reapHolds(
  connection: BoundedConnection,
  options: ReapOptions & { readonly log: Log; readonly failpoint: Failpoint },
): Promise<number> {
  const stale = await connection.run((sql) => findStaleHolds(sql, options));
  if (stale.length === 0) return 0;
  options.failpoint("reap-sent");
  return expireHolds(connection, stale, options.log);
}

function findStaleHolds(sql: Sql, options: ReapOptions): Promise<StaleHold[]> {
  return sql<StaleHold[]>`
    select r.id, r.account_id as "accountId" from requests r
      left join instances i on i.id = r.instance_id
     where r.state = 'open'
       and (r.expires_at < now() or i.id is null or i.ended_at is not null
            or i.heartbeat_at < now() - ${options.silentMs}::int * interval '1 millisecond')
     limit ${options.limit}`;
}

async function expireHolds(
  connection: BoundedConnection,
  holds: readonly StaleHold[],
  log: Log,
): Promise<number> {
  const facts = { ...noFacts, status: 500, outcome: "expired", errorCode: "internal_error" };
  const settlements = holds.map(
    (hold) => ({ ...hold, state: "expired", costNanos: zeroNanos, facts }) as const,
  );
  try {
    const ended = await connection.run((sql) =>
      settleHolds(sql, settlements, { wait: false, failpoint: () => undefined }),
    );
    return ended.filter((settled) => settled !== "busy" && settled.verdict === "expired").length;
  } catch (error) {
    if (judgeFailure(error) !== "poison") throw error;
    if (holds.length === 1) {
      log.error({ err: error, requestId: holds[0]?.id }, "hold not reaped");
      return 0;
    }
    // One hold that cannot be ended must not keep the others open.
    const middle = holds.length >> 1;
    const first = await expireHolds(connection, holds.slice(0, middle), log);
    return first + (await expireHolds(connection, holds.slice(middle), log));
  }
}
