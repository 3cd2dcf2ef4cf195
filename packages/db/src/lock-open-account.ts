// Holds an account until the transaction ends, so that it is not closed meanwhile and sums over its rows stay right.
import type { AccountId } from "@turnpike/base";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { accounts } from "./schema/index.ts";

/** False if there is no such account, or no longer. */
export async function lockOpenAccount(tx: Db, accountId: AccountId): Promise<boolean> {
  const locked = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.closedAt)))
    .for("no key update");
  return locked.length > 0;
}
