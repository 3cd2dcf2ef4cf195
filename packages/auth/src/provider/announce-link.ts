// Notifies the owner that one more identity can sign in as them: by a mail that can undo it, and in their log.

import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth, Caller } from "../auth.ts";
import { issueUndoLink } from "../email-link/undo-link.ts";
import type { FoundPerson } from "../person/find-person.ts";
import { recordPersonEvent } from "../person/person-event.ts";
import type { Provider } from "./provider.ts";

/** `email` is that of the identity. Call it in the transaction that links it. */
export async function announceLink(
  tx: Db,
  auth: Auth,
  caller: Caller,
  { id: personId, email: recipient }: Pick<FoundPerson, "id" | "email">,
  { name }: Pick<Provider, "name">,
  email: string,
): Promise<void> {
  await recordPersonEvent(tx, personId, "identity_link", caller);
  await queueMail(tx, recipient, {
    kind: "identity_linked",
    at: new Date().toISOString(),
    provider: name,
    identity: email,
    ...(await issueUndoLink(tx, auth, { personId, email: recipient })),
  });
}
