// Whether anything of an account is stored that only SEALING_KEY opens.
import type { AccountId } from "@turnpike/base";
import { type Db, sharedConversations, storedPrompts } from "@turnpike/db";
import { eq } from "drizzle-orm";

export async function hasSealedTexts(db: Db, accountId: AccountId): Promise<boolean> {
  for (const table of [storedPrompts, sharedConversations]) {
    const rows = await db
      .select({ accountId: table.accountId })
      .from(table)
      .where(eq(table.accountId, accountId))
      .limit(1);
    if (rows.length > 0) return true;
  }
  return false;
}
