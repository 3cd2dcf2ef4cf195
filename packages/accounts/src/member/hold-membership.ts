// What a member may do is decided again when they act: in the transaction that changes something, under locks for which
// everything waits that ends their membership, changes their role, signs them out or revokes their key.
import { Fault } from "@turnpike/base";
import { accounts, type Db, memberships } from "@turnpike/db";
import { and, eq } from "drizzle-orm";
import { holdManagementKey } from "../management/authenticate-management-key.ts";
import { holdSession } from "../person/hold-person.ts";
import type { Member } from "./actor.ts";
import { lockChanges, type Membership, noSuchAccount } from "./membership.ts";

/**
 * The membership as it is now; it stays so until the transaction ends. Call it first in the transaction. Throws
 * `not_found` for someone who is no longer a member, `unauthenticated` for a session that has ended, and what
 * `authenticateManagementKey` throws for a management key.
 */
export async function holdMembership(tx: Db, member: Member): Promise<Membership> {
  const { account, person, managementKey, sessionId } = member;
  await lockChanges(tx, account.id);
  if (managementKey !== undefined) await holdManagementKey(tx, managementKey.id);
  if (sessionId !== undefined) await holdSession(tx, person.id, sessionId);
  // A second lock, for what changes members without the first: statements by hand.
  const [held] = await tx
    .select({ role: memberships.role, projectIds: memberships.projectIds })
    .from(memberships)
    .where(and(eq(memberships.accountId, account.id), eq(memberships.personId, person.id)))
    .for("share");
  const [shared] = await tx
    .select({
      slug: accounts.slug,
      name: accounts.name,
      factorsRequiredFrom: accounts.factorsRequiredFrom,
    })
    .from(accounts)
    .where(eq(accounts.id, account.id));
  if (held === undefined || shared === undefined) throw noSuchAccount();
  const factorsRequiredFrom = shared.factorsRequiredFrom?.toISOString() ?? null;
  return { ...account, ...held, ...shared, factorsRequiredFrom };
}

/**
 * Throws `conflict` if a member's role or projects are not those with which their request began: what the request
 * may see and change was chosen by them.
 */
export function assertUnchangedRole(before: Membership, now: Membership): void {
  const isSame = (name: "role" | "projectIds") =>
    JSON.stringify(before[name] ?? null) === JSON.stringify(now[name] ?? null);
  if (isSame("role") && isSame("projectIds")) return;
  throw new Fault(
    "conflict",
    `What you may do in ${now.name || "this account"} has just been changed. Try again.`,
  );
}
