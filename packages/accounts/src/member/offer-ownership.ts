// The ownership of an account is offered to a member, who accepts or declines it; until then it can be withdrawn. An offer
// is worth nothing once who made it is no longer an owner.

import { type AccountId, Fault, type PersonId } from "@turnpike/base";
import { type Db, memberships } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { AccountContext } from "../account-context.ts";
import { hashBucket, throttle } from "../throttle/throttle.ts";
import type { Member } from "./actor.ts";
import { lockTarget, membershipOf, recordMember } from "./change-members.ts";
import { tellRole } from "./tell-member.ts";

/** Nothing changes until they accept. Throws `not_found`, `conflict` and `throttled`. */
export async function offerOwnership(
  db: Db,
  context: AccountContext,
  by: Member,
  personId: PersonId,
): Promise<void> {
  const { account } = by;
  await db.transaction(async (tx) => {
    const { target } = await lockTarget(tx, by, personId);
    if (target.role === "owner") {
      throw new Fault("conflict", `${target.email} is an owner already.`);
    }
    if (target.ownershipOfferedBy !== null) {
      throw new Fault("conflict", `${target.email} was offered the ownership already.`);
    }
    const bucket = `ownership:to:${hashBucket(target.email)}`;
    await throttle(tx, context.throttles.invitationPerRecipient, bucket);
    await setOffer(tx, account.id, personId, by.person.id);
    await recordMember(tx, by, "ownership.offer", target);
    await queueMail(tx, target.email, {
      kind: "ownership_offered",
      accountName: account.name,
      by: by.person.email,
      link: `${context.publicUrl}/a/${account.slug}/settings/members`,
    });
  });
}

/** Throws `not_found`. */
export async function withdrawOwnership(db: Db, by: Member, personId: PersonId): Promise<void> {
  await db.transaction(async (tx) => {
    const { target } = await lockTarget(tx, by, personId);
    if (target.ownershipOfferedBy === null) throw noOffer();
    await setOffer(tx, by.account.id, personId, null);
    await recordMember(tx, by, "ownership.withdraw", target);
  });
}

/** The member who was offered the ownership accepts or declines it. Throws `not_found`. */
export async function answerOwnership(db: Db, by: Member, accepts: boolean): Promise<void> {
  const { account, person } = by;
  await db.transaction(async (tx) => {
    const { target, members } = await lockTarget(tx, by, person.id);
    // Someone who is no longer an owner has nothing to offer.
    const offerer = members.find((member) => member.personId === target.ownershipOfferedBy);
    if (offerer?.role !== "owner") throw noOffer();
    await setOffer(tx, account.id, person.id, null);
    if (!accepts) return recordMember(tx, by, "ownership.decline", target);
    await tx.update(memberships).set({ role: "owner" }).where(membershipOf(account.id, person.id));
    await recordMember(tx, by, "ownership.accept", target, { role: [target.role, "owner"] });
    await tellRole(tx, by, target, "owner");
  });
}

async function setOffer(
  tx: Db,
  accountId: AccountId,
  personId: PersonId,
  offeredBy: PersonId | null,
): Promise<void> {
  await tx
    .update(memberships)
    .set({ ownershipOfferedBy: offeredBy })
    .where(membershipOf(accountId, personId));
}

function noOffer(): Fault {
  return new Fault("not_found", "There is no such offer.");
}
