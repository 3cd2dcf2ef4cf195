// Whether an account keeps anything that may still be shown.
import type { AccountId } from "@turnpike/base";
import { type Db, objects } from "@turnpike/db";
import { and, eq } from "drizzle-orm";
import { notExpired } from "./objects.ts";

export async function hasObjects(db: Db, accountId: AccountId): Promise<boolean> {
  const rows = await db
    .select({ id: objects.id })
    .from(objects)
    .where(and(eq(objects.accountId, accountId), eq(objects.state, "ready"), notExpired()))
    .limit(1);
  return rows.length > 0;
}
