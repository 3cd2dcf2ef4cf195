// What an account wants to happen to its keys that are found where others can read them.
import { accounts, type Db, recordAudit } from "@turnpike/db";
import { eq } from "drizzle-orm";
import { auditActorOf, type Member } from "../member/actor.ts";

/** Whether they are revoked; otherwise their owners are only warned. */
export async function revokesLeakedKeys(db: Db, { account }: Pick<Member, "account">) {
  const [row] = await db
    .select({ revokes: accounts.revokesLeakedKeys })
    .from(accounts)
    .where(eq(accounts.id, account.id));
  return row?.revokes ?? true;
}

export async function setRevokesLeakedKeys(db: Db, by: Member, revokes: boolean): Promise<void> {
  const accountId = by.account.id;
  await db.transaction(async (tx) => {
    await tx.update(accounts).set({ revokesLeakedKeys: revokes }).where(eq(accounts.id, accountId));
    await recordAudit(tx, {
      accountId,
      by: auditActorOf(by),
      action: "account.change",
      changes: { revokes_leaked_keys: [null, revokes ? "yes" : "no"] },
    });
  });
}
