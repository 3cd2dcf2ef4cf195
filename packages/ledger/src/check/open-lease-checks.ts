// The checks of leases that are open too long, as both checkers run them: their money stays held, and no
// call that is still allowed to run can need it.
import { type SQL, sql } from "drizzle-orm";
import { leaseTimes } from "../ledger-bounds.ts";

const hourMs = 3_600_000;
/** After the hour's last call was admitted it may run for `callMs`, and its charge and the close follow. */
const livingMs = hourMs + leaseTimes.callMs + leaseTimes.settleMs;

/** `leases` names the rows to check: a table or a query with the columns of `leases`. */
export function openLeaseChecks(leases: SQL): readonly SQL[] {
  return [
    sql`select 'a lease is open past its bound' as "check", id::text as key from ${leases}
         where closed_at is null and hour < now() - interval '95 minutes'`,
    sql`select 'a lease is open although its hour is over and its process lives', l.id::text
          from ${leases} l join instances i on i.id = l.instance_id
         where l.closed_at is null and i.ended_at is null
           and i.heartbeat_at > now() - interval '1 minute'
           and l.hour < now() - ${sql.raw(String(livingMs))} * interval '1 millisecond'`,
  ];
}
