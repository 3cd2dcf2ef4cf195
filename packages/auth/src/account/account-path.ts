// Where the pages of an account are: under `/a/<slug>` for an organization, at the top for the personal account
// of anyone who is signed in. A former slug keeps working, so links in old mails do.
import type { AccountId } from "@turnpike/base";
import { accounts, type Db } from "@turnpike/db";
import { eq } from "drizzle-orm";
import type { Membership } from "./membership.ts";

/** Without a trailing slash; empty for a personal account. */
export function accountPath({ kind, slug }: Pick<Membership, "kind" | "slug">): string {
  return kind === "organization" ? `/a/${slug}` : "";
}

export async function readAccountPath(db: Db, accountId: AccountId): Promise<string> {
  const [account] = await db
    .select({ kind: accounts.kind, slug: accounts.slug })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return account === undefined ? "" : accountPath(account);
}
