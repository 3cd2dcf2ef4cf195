// What a member who is removed, and whose keys are revoked, would still be sent: messages to URLs that they chose.
import { type ActingOperator, auditActorOf, type Member } from "@turnpike/accounts";
import type { PersonId } from "@turnpike/base";
import { type Db, recordAudit, webhookEndpoints } from "@turnpike/db";
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { cancelWaiting } from "./disable-failing.ts";

/** Disables them; anyone who may change webhooks can enable them again. Call it in the transaction of the removal. */
export async function disableEndpointsOf(
  tx: Db,
  by: Member | ActingOperator,
  personId: PersonId,
): Promise<void> {
  const accountId = by.account.id;
  const disabled = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: sql`clock_timestamp()`, disabledBy: "member" })
    .where(
      and(
        eq(webhookEndpoints.accountId, accountId),
        isNull(webhookEndpoints.disabledAt),
        or(eq(webhookEndpoints.urlSetBy, personId), wasSetByAudit(personId)),
      ),
    )
    .returning({ id: webhookEndpoints.id, url: webhookEndpoints.url });
  for (const { id, url } of disabled) {
    await cancelWaiting(tx, accountId, id);
    const object = { id, name: url };
    await recordAudit(tx, { accountId, by: auditActorOf(by), action: "webhook.disable", object });
  }
}

/** Of endpoints that an earlier version stored: only the audit log knows who. */
function wasSetByAudit(personId: PersonId): SQL {
  return sql`${webhookEndpoints.urlSetBy} is null and ${webhookEndpoints.id}::text in (
    select a.object_id from audit_log a
     where a.account_id = ${webhookEndpoints.accountId}
       and a.action in ('webhook.create', 'webhook.change')
       and (a.actor_id = ${personId}
         or a.actor_id in (select m.id from management_keys m
           where m.account_id = ${webhookEndpoints.accountId} and m.created_by = ${personId})))`;
}
