// Forgets processes that ended or went silent a day ago; their leases were closed long before.
import { type Db, deleteInSlices, instances, writeProofs } from "@turnpike/db";
import { sql } from "drizzle-orm";

export async function purgeInstances(db: Db): Promise<void> {
  await deleteInSlices(
    db,
    instances,
    sql`heartbeat_at < now() - interval '1 day' and not exists (
          select from leases l where l.instance_id = instances.id and l.closed_at is null)`,
  );
  await deleteInSlices(
    db,
    writeProofs,
    sql`not exists (select from instances i where i.id = write_proofs.instance_id)`,
  );
}
