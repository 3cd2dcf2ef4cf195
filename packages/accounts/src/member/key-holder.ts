// The member for whom a key is made: it counts as theirs, in what they see, in their budget, and when they leave.
import { type AccountId, Fault, type PersonId, type ProjectId } from "@turnpike/base";
import { type Db, memberships } from "@turnpike/db";
import { and, eq } from "drizzle-orm";
import { projectScopeOf } from "./membership.ts";
import { requirePermission } from "./permissions.ts";

/**
 * With the projects they work in; undefined for all. Call it in the transaction that creates the key: they stay a
 * member until it ends, and a removal that comes after it also settles this key. Throws `not_found`, and `permission_denied`
 * for a member whose role has no keys.
 */
export async function findKeyHolder(
  tx: Db,
  account: { readonly id: AccountId; readonly name: string },
  personId: PersonId,
): Promise<{
  readonly personId: PersonId;
  readonly projectIds: readonly ProjectId[] | undefined;
}> {
  const [found] = await tx
    .select({ role: memberships.role, projectIds: memberships.projectIds })
    .from(memberships)
    .where(and(eq(memberships.accountId, account.id), eq(memberships.personId, personId)))
    .for("share");
  if (found === undefined) {
    throw new Fault("not_found", "There is no such member.", { param: "memberId" });
  }
  const { role, projectIds } = found;
  requirePermission({ name: account.name, role }, "keys.change");
  return { personId, projectIds: projectScopeOf({ role, projectIds }) };
}
