// A proven domain may require its provider: everyone with an address in it signs in there, with an address in it, and no
// other way. Anyone who switches it on has just signed in so, which proves that it works.

import {
  auditActorOf,
  domainOf,
  domainOfEmail,
  findRequirement,
  type Member,
  noSuchDomain,
} from "@turnpike/accounts";
import { type DomainId, Fault, type PersonId } from "@turnpike/base";
import {
  type Db,
  domains,
  factorChallenges,
  identities,
  persons,
  recordAudit,
  sessions,
} from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import type { SessionOrigin } from "../session/session.ts";
import { requireProvider } from "./open-providers.ts";

type By = Member & { readonly session: { readonly provider: string | null } };

/**
 * `provider` null requires nothing. Everyone of the domain who signed in another way is signed out. Throws `not_found`,
 * and `conflict` for a domain that is not proven, or if the caller did not sign in so themselves.
 */
export async function setRequiredProvider(
  db: Db,
  auth: Auth,
  { account, session, ...by }: By,
  { id, provider }: { readonly id: DomainId; readonly provider: string | null },
): Promise<void> {
  if (provider !== null) requireProvider(auth.providers, provider);
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ domain: domains.domain, provenAt: domains.provenAt, provider: domains.provider })
      .from(domains)
      .where(domainOf(account.id, id))
      .for("update");
    if (before === undefined) throw noSuchDomain();
    const { domain } = before;
    if (provider !== null) {
      if (before.provenAt === null) {
        throw new Fault("conflict", `Prove first that ${domain} is yours.`);
      }
      const works =
        session.provider === provider && (await has(tx, by.person.id, provider, domain));
      if (!works) throw new Fault("conflict", tryFirst(auth, provider, domain));
    }
    await tx.update(domains).set({ provider }).where(domainOf(account.id, id));
    if (provider !== null) {
      await signOutOthers(tx, provider, domain);
      await endFirstSteps(tx, domain);
    }
    await recordAudit(tx, {
      accountId: account.id,
      by: auditActorOf(by),
      action: "domain.require",
      object: { id, name: domain },
      changes: { provider: [before.provider, provider] },
    });
  });
}

function tryFirst({ providers }: Auth, provider: string, domain: string): string {
  const name = providers.get(provider)?.name ?? provider;
  return `Sign in with ${name} and an address at ${domain} first. That proves that nobody is locked out.`;
}

function isAt(email: typeof persons.email | typeof identities.email, domain: string) {
  return sql`split_part(${email}, '@', 2) = ${domain}`;
}

/** Whether the provider vouches for an address in the domain, of this person. */
async function has(tx: Db, personId: PersonId, provider: string, domain: string): Promise<boolean> {
  const found = await tx
    .select({ id: identities.id })
    .from(identities)
    .where(
      and(
        eq(identities.personId, personId),
        eq(identities.provider, provider),
        isAt(identities.email, domain),
      ),
    );
  return found.length > 0;
}

/** Anyone who signs in at the same moment holds their lock: they come before, and are signed out, or after. */
async function signOutOthers(tx: Db, provider: string, domain: string): Promise<void> {
  await tx
    .select({ id: persons.id })
    .from(persons)
    .where(isAt(persons.email, domain))
    .orderBy(persons.id)
    .for("update");
  await tx.delete(sessions).where(
    and(
      sql`${sessions.personId} in (select ${persons.id} from ${persons} where ${isAt(persons.email, domain)})`,
      sql`(${sessions.provider} is distinct from ${provider} or not exists (
        select from ${identities} where ${identities.personId} = ${sessions.personId}
           and ${identities.provider} = ${provider} and ${isAt(identities.email, domain)}))`,
    ),
  );
}

/** Of those whose password was right, or whom another provider sent: the second step would admit them. */
async function endFirstSteps(tx: Db, domain: string): Promise<void> {
  const there = sql`${factorChallenges.personId} in (
    select ${persons.id} from ${persons} where ${isAt(persons.email, domain)})`;
  await tx.delete(factorChallenges).where(and(eq(factorChallenges.purpose, "sign_in"), there));
}

/**
 * Throws `permission_denied` if the domain of the person's address requires another way to sign in. Call it under the
 * person's lock.
 */
export async function requireWay(
  tx: Db,
  auth: Auth,
  { email }: { readonly email: string },
  { provider, email: vouched }: SessionOrigin,
): Promise<void> {
  const required = await findRequirement(tx, email);
  if (required === undefined) return;
  const isThere = vouched === undefined || domainOfEmail(vouched) === required.domain;
  if (provider === required.provider && isThere) return;
  const name = auth.providers.get(required.provider)?.name ?? required.provider;
  throw new Fault(
    "permission_denied",
    `Addresses at ${required.domain} sign in with ${name}. Use its button, with your address there.`,
    { metadata: { provider: required.provider } },
  );
}
