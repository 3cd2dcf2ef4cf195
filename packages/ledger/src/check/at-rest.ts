// On a Citus cluster one statement sees newer requests than leases, because its parts on the workers begin later. A
// lease and its requests are compared there only once nothing has changed them for a while.
import { type SQL, sql } from "drizzle-orm";

/** Whether what `changedAt` dates is at rest; on one server, whose snapshot includes everything, always. */
export function atRest(changedAt: SQL): SQL {
  return sql`(${changedAt} < now() - interval '1 minute' or not (select are_requests_distributed()))`;
}
