// Proves that a domain belongs to an organization: by a TXT record that only its owner can make, or by an operator who
// knows. A proven domain belongs to nobody else until an operator or the organization gives it up.

import { type DomainId, Fault } from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  type Db,
  domains,
  errorCodeOf,
  recordAudit,
} from "@turnpike/db";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { AccountContext } from "../account-context.ts";
import { auditActorOf, type Member } from "../member/actor.ts";
import { throttle } from "../throttle/throttle.ts";
import { domainOf, noSuchDomain, parseDomain, recordNameOf, recordValueOf } from "./domain.ts";

const uniqueViolation = "23505";

/** A second time it is checked again, and stays proven either way. Throws `not_found`, `conflict`, `bad_gateway`, `throttled`. */
export async function proveDomain(
  db: Db,
  context: AccountContext,
  { account, ...by }: Member,
  input: { readonly id: DomainId },
): Promise<void> {
  await throttle(db, context.throttles.invitationPerAccount, `domain:prove:${account.id}`);
  const [claim] = await db
    .select({ domain: domains.domain, token: domains.token })
    .from(domains)
    .where(domainOf(account.id, input.id));
  if (claim === undefined) throw noSuchDomain();
  const name = recordNameOf(claim.domain);
  const wanted = recordValueOf(claim.token);
  const records = await resolve(context, name);
  if (!records.some((record) => record.trim() === wanted)) {
    const found = records.length === 0 ? "There is no TXT record" : "No TXT record matches";
    const hint = "New records can take an hour to be seen.";
    throw new Fault("conflict", `${found} at ${name}. ${hint}`, { param: "domain" });
  }
  await db.transaction((tx) =>
    recordProof(tx, { accountId: account.id, id: input.id, by: auditActorOf(by) }, "dns"),
  );
}

async function resolve({ resolveTxt }: AccountContext, name: string): Promise<readonly string[]> {
  try {
    return await resolveTxt(name);
  } catch (cause) {
    throw new Fault("bad_gateway", "DNS did not answer. Try again in a minute.", { cause });
  }
}

type Proof = {
  readonly accountId: Member["account"]["id"];
  readonly id: DomainId;
  readonly by: AuditActor;
};

async function recordProof(
  tx: Db,
  { accountId, id, by }: Proof,
  provenBy: "dns" | "operator",
): Promise<void> {
  try {
    const [proven] = await tx
      .update(domains)
      .set({ provenAt: sql`coalesce(${domains.provenAt}, now())`, provenBy })
      .where(domainOf(accountId, id))
      .returning({ domain: domains.domain });
    if (proven === undefined) throw noSuchDomain();
    const object = { id, name: proven.domain };
    const changes = { proven_by: [null, provenBy] } as const;
    await recordAudit(tx, { accountId, by, action: "domain.prove", object, changes });
  } catch (error) {
    if (errorCodeOf(error) !== uniqueViolation) throw error;
    throw new Fault("conflict", "Another organization has proven this domain. Contact support.");
  }
}

/** For an organization, by its slug, that added it. Throws `not_found`, `conflict`, `invalid_value`. */
export async function proveDomainAsOperator(
  db: Db,
  by: AuditActor,
  input: { readonly domain: string; readonly slug: string },
): Promise<void> {
  const domain = parseDomain(input.domain);
  await db.transaction(async (tx) => {
    const [claim] = await tx
      .select({ accountId: domains.accountId, id: domains.id })
      .from(domains)
      .innerJoin(accounts, eq(accounts.id, domains.accountId))
      .where(and(eq(domains.domain, domain), eq(accounts.slug, input.slug)));
    if (claim === undefined) {
      throw new Fault("not_found", `The organization ${input.slug} has not added ${domain}.`);
    }
    await recordProof(tx, { ...claim, by }, "operator");
  });
}

/** Anyone who proved it has to prove it again, and requires nothing any more. Throws `not_found`. */
export async function releaseDomain(
  db: Db,
  by: AuditActor,
  input: { readonly domain: string },
): Promise<void> {
  const domain = parseDomain(input.domain);
  await db.transaction(async (tx) => {
    const [released] = await tx
      .update(domains)
      .set({ provenAt: null, provenBy: null, provider: null })
      .where(and(eq(domains.domain, domain), isNotNull(domains.provenAt)))
      .returning({ accountId: domains.accountId, id: domains.id });
    if (released === undefined) {
      throw new Fault("not_found", `No organization has proven ${domain}.`);
    }
    const { accountId, id } = released;
    const object = { id, name: domain };
    await recordAudit(tx, { accountId, by, action: "domain.release", object });
  });
}
