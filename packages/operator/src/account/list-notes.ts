// What operators noted about an account, newest first. The account never sees it.
import type { AccountId } from "@turnpike/base";
import { accountNotes, type Db } from "@turnpike/db";
import { desc, eq } from "drizzle-orm";

const notesMax = 100;

export async function listNotes(db: Db, accountId: AccountId) {
  const rows = await db
    .select({
      id: accountNotes.id,
      at: accountNotes.at,
      author: accountNotes.author,
      text: accountNotes.text,
    })
    .from(accountNotes)
    .where(eq(accountNotes.accountId, accountId))
    .orderBy(desc(accountNotes.id))
    .limit(notesMax);
  return rows.map(({ id, at, ...row }) => ({ ...row, id: id.toString(), at: at.toISOString() }));
}
