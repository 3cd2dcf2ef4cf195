// Mail domains that an organization claims: added with a token for a TXT record, listed and removed.

import { type AccountId, type DomainId, Fault, makeToken, newId } from "@turnpike/base";
import { type Db, domains, recordAudit } from "@turnpike/db";
import { and, asc, eq, type SQL } from "drizzle-orm";
import { auditActorOf, type Member } from "../member/actor.ts";
import { parseDomainName } from "./parse-domain-name.ts";

export type ListedDomain = {
  readonly id: DomainId;
  readonly domain: string;
  readonly recordName: string;
  readonly recordValue: string;
  readonly provenAt: Date | null;
  readonly provenBy: "dns" | "operator" | null;
  /** Required of everyone with an address in the domain. */
  readonly provider: string | null;
};

const domainsMax = 20;

export async function listDomains(db: Db, accountId: AccountId): Promise<readonly ListedDomain[]> {
  const rows = await db
    .select({
      id: domains.id,
      domain: domains.domain,
      token: domains.token,
      provenAt: domains.provenAt,
      provenBy: domains.provenBy,
      provider: domains.provider,
    })
    .from(domains)
    .where(eq(domains.accountId, accountId))
    .orderBy(asc(domains.domain));
  return rows.map(({ token, ...row }) => ({
    ...row,
    recordName: recordNameOf(row.domain),
    recordValue: recordValueOf(token),
  }));
}

/** A claim alone means nothing: several organizations may add the same domain. Throws `conflict`, `invalid_value`. */
export async function addDomain(
  db: Db,
  { account, ...by }: Member,
  input: { readonly domain: string },
): Promise<void> {
  const domain = parseDomain(input.domain);
  if (account.kind === "personal") {
    throw new Fault("permission_denied", "Only an organization has domains. Create one first.");
  }
  await db.transaction(async (tx) => {
    const known = await listDomains(tx, account.id);
    if (known.some((one) => one.domain === domain)) {
      throw new Fault("conflict", `${domain} was added already.`, { param: "domain" });
    }
    if (known.length >= domainsMax) {
      throw new Fault("conflict", `An organization has at most ${domainsMax} domains.`);
    }
    const id = newId<DomainId>();
    await tx.insert(domains).values({ accountId: account.id, id, domain, token: makeToken() });
    const object = { id, name: domain };
    const entry = { accountId: account.id, by: auditActorOf(by), action: "domain.add", object };
    await recordAudit(tx, entry);
  });
}

/** Also ends what it required. Throws `not_found`. */
export async function removeDomain(
  db: Db,
  { account, ...by }: Member,
  input: { readonly id: DomainId },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(domains)
      .where(domainOf(account.id, input.id))
      .returning({ domain: domains.domain });
    if (removed === undefined) throw noSuchDomain();
    const object = { id: input.id, name: removed.domain };
    const entry = { accountId: account.id, by: auditActorOf(by), action: "domain.remove", object };
    await recordAudit(tx, entry);
  });
}

export function domainOf(accountId: AccountId, id: DomainId): SQL | undefined {
  return and(eq(domains.accountId, accountId), eq(domains.id, id));
}

export function noSuchDomain(): Fault {
  return new Fault("not_found", "There is no such domain.");
}

/** With a dot at its end or without. Throws `invalid_value`. */
export function parseDomain(text: string): string {
  const domain = parseDomainName(text.replace(/^[ \t]+|[ \t]+$/g, "").replace(/\.$/, ""));
  if (domain !== undefined) return domain;
  throw new Fault("invalid_value", "Enter a domain such as example.com.", { param: "domain" });
}

/** The part of an address that a domain is compared with. */
export function domainOfEmail(email: string): string {
  return email.split("@").at(-1) ?? "";
}

export function recordNameOf(domain: string): string {
  return `_turnpike.${domain}`;
}

export function recordValueOf(token: string): string {
  return `turnpike-domain=${token}`;
}
