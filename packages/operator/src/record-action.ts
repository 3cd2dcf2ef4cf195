// Writes one line of the operators' log, for what concerns no account. Call it in the transaction that does what it
// records.
import { type AuditEntry, type Db, operatorLog } from "@turnpike/db";
import type { Operator } from "./verb.ts";

export async function recordAction(
  tx: Db,
  by: Operator,
  entry: Pick<AuditEntry, "action" | "changes"> & {
    readonly object: string;
    readonly reason: string;
  },
): Promise<void> {
  const { action, object, reason, changes } = entry;
  await tx.insert(operatorLog).values({
    actorName: by.name,
    action,
    object,
    reason: reason.trim(),
    changes: changes ?? null,
  });
}
