// Links one more identity to a person who is signed in. Its address may differ from theirs, but must be verified.

import { holdPerson, lockPerson } from "@turnpike/accounts";
import type { Db } from "@turnpike/db";
import type { Auth, Caller } from "../auth.ts";
import type { AuthenticatedSession } from "../session/session.ts";
import { findOwner, insertIdentity } from "./admit-identity.ts";
import { announceLink } from "./announce-link.ts";
import type { Provider, Vouched } from "./provider.ts";
import { ProviderRefusal } from "./provider-refusal.ts";

/** A second time nothing changes. Throws ProviderRefusal. */
export async function linkIdentity(
  db: Db,
  auth: Auth,
  caller: Caller,
  person: AuthenticatedSession["person"],
  provider: Provider,
  vouched: Vouched,
): Promise<void> {
  const { email } = vouched;
  await db.transaction(async (tx) => {
    await lockPerson(tx, person.id);
    await holdPerson(tx, person.id);
    const owner = await findOwner(tx, vouched);
    if (owner?.id === person.id) return;
    if (owner !== undefined) throw new ProviderRefusal("taken");
    if (email === undefined) throw new ProviderRefusal("unverified");
    await insertIdentity(tx, person, provider, { ...vouched, email });
    await announceLink(tx, auth, caller, person, provider, email);
  });
}
