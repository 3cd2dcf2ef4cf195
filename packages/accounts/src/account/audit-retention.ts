// How long an account keeps its audit log. Never so short that anyone who did something could hide it: what is
// younger than 90 days stays, whatever is set.
import { Fault } from "@turnpike/base";
import { accounts, auditRetentionDaysMin, type Db, recordAudit } from "@turnpike/db";
import { eq } from "drizzle-orm";
import { auditActorOf, type Member } from "../member/actor.ts";

const daysMax = 3_650;

/** Null: for ever. */
export async function queryAuditRetention(db: Db, by: Pick<Member, "account">) {
  const [row] = await db
    .select({ days: accounts.auditRetentionDays })
    .from(accounts)
    .where(eq(accounts.id, by.account.id));
  return row?.days ?? null;
}

/** Throws `invalid_value` for fewer than 90 or more than 3650 days. */
export async function setAuditRetention(db: Db, by: Member, days: number | null): Promise<void> {
  if (days !== null && (days < auditRetentionDaysMin || days > daysMax)) {
    const message = `Keep the audit log for ${auditRetentionDaysMin} to ${daysMax} days, or for ever.`;
    throw new Fault("invalid_value", message, { param: "days" });
  }
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ days: accounts.auditRetentionDays })
      .from(accounts)
      .where(eq(accounts.id, by.account.id))
      .for("no key update");
    await tx
      .update(accounts)
      .set({ auditRetentionDays: days })
      .where(eq(accounts.id, by.account.id));
    await recordAudit(tx, {
      accountId: by.account.id,
      by: auditActorOf(by),
      action: "account.set_audit_retention",
      changes: { days: [textOf(before?.days ?? null), textOf(days)] },
    });
  });
}

function textOf(days: number | null): string | null {
  return days === null ? null : String(days);
}
