// The identities a person signs in with. One can be unlinked while another way to sign in is left.

import { domainOfEmail, findRequirement, lockPerson } from "@turnpike/accounts";
import { Fault, type IdentityId } from "@turnpike/base";
import { type Db, factorChallenges, identities, persons, sessions } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, asc, eq, ne } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { recordPersonEvent } from "../person/person-event.ts";
import type { AuthenticatedSession } from "../session/session.ts";

export type ListedIdentity = {
  readonly id: IdentityId;
  readonly providerId: string;
  /** As people know it. */
  readonly provider: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** Without it the person could not sign in. */
  readonly isLast: boolean;
};

type Owner = Pick<AuthenticatedSession, "person" | "session">;

export async function listIdentities(
  db: Db,
  auth: Auth,
  { person }: Pick<Owner, "person">,
): Promise<readonly ListedIdentity[]> {
  const { hasPassword, rows } = await queryWays(db, auth, person.id);
  return rows.map(({ provider, issuer: _, isUsable: __, ...row }) => ({
    ...row,
    providerId: provider,
    provider: auth.providers.get(provider)?.name ?? provider,
    isLast: !hasPassword && rows.every((other) => other.id === row.id || !other.isUsable),
  }));
}

/** Ends the other sessions that the provider opened. Throws `not_found` and `conflict`. */
export async function unlinkIdentity(
  db: Db,
  auth: Auth,
  caller: Caller & Owner,
  id: IdentityId,
): Promise<void> {
  const { person, session } = caller;
  await db.transaction(async (tx) => {
    await lockPerson(tx, person.id);
    const { hasPassword, rows } = await queryWays(tx, auth, person.id);
    const unlinked = rows.find((row) => row.id === id);
    if (unlinked === undefined) throw new Fault("not_found", "There is no such identity.");
    if (!hasPassword && rows.every((other) => other.id === id || !other.isUsable)) {
      throw new Fault(
        "conflict",
        "This is the only way you can sign in. Set a password first, by “Forgot password?” on the sign-in page.",
      );
    }
    const { provider, email } = unlinked;
    await tx.delete(identities).where(eq(identities.id, id));
    await tx
      .delete(sessions)
      .where(
        and(
          eq(sessions.personId, person.id),
          eq(sessions.provider, provider),
          ne(sessions.publicId, session.publicId),
        ),
      );
    // Otherwise the second step of a sign-in that it began would still open a session.
    await tx
      .delete(factorChallenges)
      .where(
        and(eq(factorChallenges.personId, person.id), eq(factorChallenges.provider, provider)),
      );
    await recordPersonEvent(tx, person.id, "identity_unlink", caller);
    await queueMail(tx, person.email, {
      kind: "identity_unlinked",
      at: new Date().toISOString(),
      provider: auth.providers.get(provider)?.name ?? provider,
      identity: email,
      link: `${auth.publicUrl}/settings/security`,
    });
  });
}

/** Each way to sign in. An identity does not count if its provider is no longer configured or the domain requires another. */
async function queryWays(db: Db, auth: Auth, personId: Owner["person"]["id"]) {
  const [person] = await db
    .select({ email: persons.email, passwordHash: persons.passwordHash })
    .from(persons)
    .where(eq(persons.id, personId));
  const rows = await db
    .select({
      id: identities.id,
      provider: identities.provider,
      issuer: identities.issuer,
      email: identities.email,
      createdAt: identities.createdAt,
      lastUsedAt: identities.lastUsedAt,
    })
    .from(identities)
    .where(eq(identities.personId, personId))
    .orderBy(asc(identities.createdAt), asc(identities.id));
  const issuers = new Set([...auth.providers.values()].map(({ issuer }) => issuer));
  const required = person && (await findRequirement(db, person.email));
  const isAllowed = ({ provider, email }: (typeof rows)[number]) =>
    required === undefined ||
    (provider === required.provider && domainOfEmail(email) === required.domain);
  return {
    hasPassword: person?.passwordHash != null && required === undefined,
    rows: rows.map((row) => ({ ...row, isUsable: issuers.has(row.issuer) && isAllowed(row) })),
  };
}
