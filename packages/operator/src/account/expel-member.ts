// Removes a member from an account together with what they could still use of it: for a member in the console, and for
// an operator at the desk. Everything is done in the transaction that ends the membership.
import {
  type ActingOperator,
  auditActorOf,
  type KeyFate,
  type Member,
  removeMember,
} from "@turnpike/accounts";
import type { PersonId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { handOverKeys, notifyKeyChange, revokeMemberKeys } from "@turnpike/keys";
import { disableEndpointsOf } from "@turnpike/webhooks";

/** Throws what `removeMember` throws. Keys are handed over to a member only. */
export async function expelMember(
  db: Db,
  by: Member | ActingOperator,
  input: { readonly personId: PersonId; readonly keys: KeyFate },
): Promise<void> {
  await removeMember(db, by, input, async (tx, accountId, leaver) => {
    if (input.keys === "revoke") {
      await revokeMemberKeys(tx, accountId, leaver, auditActorOf(by));
      await disableEndpointsOf(tx, by, leaver);
    }
    if (input.keys === "hand_over") {
      if ("operator" in by) throw new Error("an operator takes over no keys");
      await handOverKeys(tx, accountId, leaver, by.person.id);
    }
  });
  await notifyKeyChange(db, by.account.id);
}
