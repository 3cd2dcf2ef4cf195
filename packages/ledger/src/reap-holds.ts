// Ends holds nobody will end: past their lifetime, or placed by a process that stopped or fell
// silent. Their money goes back; a settlement that still arrives afterwards is settled late.
import { type Failpoint, zeroNanos } from "@turnpike/base";
import type { Sql } from "@turnpike/db";
import { noFacts, type Settlement } from "./hold.ts";
import { settleHolds } from "./settle-holds.ts";

type Row = Pick<Settlement, "id" | "accountId">;

/** Returns how many holds it expired; locked accounts wait for the next round. */
export async function reapHolds(
  sql: Sql,
  options: { readonly silentMs: number; readonly limit: number; readonly failpoint: Failpoint },
): Promise<number> {
  const stale = await sql<Row[]>`
    select r.id, r.account_id as "accountId" from requests r
      left join instances i on i.id = r.instance_id
     where r.state = 'open'
       and (r.expires_at < now() or i.id is null or i.ended_at is not null
            or i.heartbeat_at < now() - ${options.silentMs}::int * interval '1 millisecond')
     limit ${options.limit}`;
  if (stale.length === 0) return 0;
  options.failpoint("reap-sent");
  const ended = await settleHolds(
    sql,
    stale.map((row) => ({
      ...row,
      state: "expired",
      costNanos: zeroNanos,
      facts: { ...noFacts, status: 500, outcome: "expired", errorCode: "internal_error" },
    })),
    { wait: false, failpoint: () => undefined },
  );
  return ended.filter((settled) => settled !== "busy" && settled.verdict === "expired").length;
}
