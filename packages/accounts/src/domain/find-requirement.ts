// What the domain of an address requires of its people: everyone there signs in with the provider of the organization.

import { Fault } from "@turnpike/base";
import { accounts, type Db, domains } from "@turnpike/db";
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { domainOfEmail } from "./domain.ts";

export type Requirement = { readonly domain: string; readonly provider: string };

/** What the domain of an address requires; undefined if nothing. */
export async function findRequirement(db: Db, email: string): Promise<Requirement | undefined> {
  const [found] = await db
    .select({ domain: domains.domain, provider: domains.provider })
    .from(domains)
    .innerJoin(accounts, eq(accounts.id, domains.accountId))
    .where(
      and(
        eq(domains.domain, domainOfEmail(email)),
        isNotNull(domains.provenAt),
        isNotNull(domains.provider),
        isNull(accounts.closedAt),
      ),
    );
  if (found === undefined || found.provider === null) return undefined;
  return { domain: found.domain, provider: found.provider };
}

/**
 * The same, held until the transaction ends: nobody changes it meanwhile. Call it before the person is locked, as
 * `setRequiredProvider` locks the domain first.
 */
export async function holdRequirement(tx: Db, email: string): Promise<Requirement | undefined> {
  await tx
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.domain, domainOfEmail(email)), isNotNull(domains.provenAt)))
    .for("share");
  return findRequirement(tx, email);
}

/** Throws `permission_denied` for those who cannot move to another address, because their domain requires a provider. */
export async function assertNotManaged(db: Db, email: string): Promise<void> {
  if ((await findRequirement(db, email)) === undefined) return;
  throw new Fault("permission_denied", "Your organization manages how you sign in.");
}
