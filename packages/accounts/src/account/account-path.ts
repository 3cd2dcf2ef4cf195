// Where the pages of an account are: under `/a/<slug>`, which names it independently of the reader and of the account they used last:
// a path without an account leads there. A former slug keeps working, so links in old mails do.
import type { AccountId } from "@turnpike/base";
import { accounts, type Db } from "@turnpike/db";
import { eq } from "drizzle-orm";
import type { Membership } from "../member/membership.ts";

/** Without a trailing slash. */
export function accountPath({ slug }: Pick<Membership, "slug">): string {
  return `/a/${slug}`;
}

export async function queryAccountPath(db: Db, accountId: AccountId): Promise<string> {
  const [account] = await db
    .select({ slug: accounts.slug })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return account === undefined ? "" : accountPath(account);
}
