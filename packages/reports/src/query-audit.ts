// The audit log of an account: who did what, newest first, narrowed by who, what and when.
import type { AccountId, PersonId } from "@turnpike/base";
import { auditLog, type Db } from "@turnpike/db";
import { and, desc, eq, gte, like, lt, or } from "drizzle-orm";

export type AuditQuery = {
  readonly accountId: AccountId;
  readonly actorId?: PersonId | undefined;
  /** A whole action (`member.remove`) or all of a noun (`member`). */
  readonly action?: string | undefined;
  readonly objectId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** As `nextCursor` was returned. */
  readonly cursor?: bigint | undefined;
  readonly limit: number;
};

const columns = {
  id: auditLog.id,
  at: auditLog.at,
  actorKind: auditLog.actorKind,
  actorName: auditLog.actorName,
  action: auditLog.action,
  objectId: auditLog.objectId,
  objectName: auditLog.objectName,
  changes: auditLog.changes,
  address: auditLog.address,
} as const;

export type AuditRow = Pick<typeof auditLog.$inferSelect, keyof typeof columns>;
export type AuditPage = { readonly rows: AuditRow[]; readonly nextCursor: bigint | null };

export async function queryAudit(db: Db, query: AuditQuery): Promise<AuditPage> {
  const { accountId, actorId, action, objectId, from, to, cursor, limit } = query;
  const rows = await db
    .select(columns)
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, accountId),
        actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
        action === undefined
          ? undefined
          : or(eq(auditLog.action, action), like(auditLog.action, `${escapeLike(action)}.%`)),
        objectId === undefined ? undefined : eq(auditLog.objectId, objectId),
        from === undefined ? undefined : gte(auditLog.at, from),
        to === undefined ? undefined : lt(auditLog.at, to),
        cursor === undefined ? undefined : lt(auditLog.id, cursor),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return { rows: page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
