// Organizations: accounts that several people share. They are created by anyone who is signed in, with a
// name and nothing else; a former slug keeps leading to its organization.

import { type AccountId, Fault, newId, parseName } from "@turnpike/base";
import { accountSlugs, accounts, type Db, memberships, recordAudit } from "@turnpike/db";
import { nameCharsMax, slugCharsMax } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import type { AccountContext } from "../account-context.ts";
import { auditActorOf, type Member } from "../member/actor.ts";
import { noSuchAccount } from "../member/membership.ts";
import { holdActor } from "../person/hold-person.ts";
import { throttle } from "../throttle/throttle.ts";

const slugPattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const slugCharsMin = 3;
/** Of what is added where a slug is taken. */
const numberCharsMax = 8;
/** The present one and those before, which nobody else can take. */
const slugsMax = 20;
/** Of personal accounts. */
const personalPrefix = "u-";

export type CreatedOrganization = { readonly id: AccountId; readonly slug: string };

/** The creator becomes its owner. Throws `invalid_value` and `throttled`. */
export async function createOrganization(
  db: Db,
  context: AccountContext,
  by: Omit<Member, "account">,
  input: { readonly name: string },
): Promise<CreatedOrganization> {
  const name = parseAccountName(input.name);
  await throttle(db, context.throttles.organizationPerPerson, `organization:${by.person.id}`);
  const id = newId<AccountId>();
  return db.transaction(async (tx) => {
    await holdActor(tx, by);
    // Raw SQL: the server's role may set these columns and no other.
    await tx.execute(
      sql`insert into accounts (id, kind, name) values (${id}, 'organization', ${name})`,
    );
    const slug = await reserveFreeSlug(tx, id, name);
    await tx.update(accounts).set({ slug }).where(eq(accounts.id, id));
    await tx.insert(memberships).values({ accountId: id, personId: by.person.id, role: "owner" });
    await recordAudit(tx, { accountId: id, by: auditActorOf(by), action: "account.create" });
    return { id, slug };
  });
}

/** Changes name, slug or both. Throws `invalid_value`, `conflict` if the slug is taken, and `throttled`. */
export async function changeAccount(
  db: Db,
  context: AccountContext,
  { account, ...by }: Member,
  change: { readonly name?: string | undefined; readonly slug?: string | undefined },
): Promise<void> {
  if (account.kind === "personal") {
    throw new Fault(
      "permission_denied",
      "A personal account has no name of its own. Create an organization instead.",
    );
  }
  const parsed = {
    ...(change.name !== undefined && { name: parseAccountName(change.name) }),
    ...(change.slug !== undefined && { slug: parseSlug(change.slug) }),
  };
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ name: accounts.name, slug: accounts.slug })
      .from(accounts)
      .where(eq(accounts.id, account.id))
      .for("no key update");
    if (before === undefined) throw noSuchAccount();
    const { name, slug } = { ...before, ...parsed };
    if (slug !== before.slug) await takeSlug(tx, context, account.id, slug);
    await tx.update(accounts).set({ name, slug }).where(eq(accounts.id, account.id));
    await recordAudit(tx, {
      accountId: account.id,
      by: auditActorOf(by),
      action: "account.change",
      changes: {
        ...(name !== before.name && { name: [before.name, name] }),
        ...(slug !== before.slug && { slug: [before.slug, slug] }),
      },
    });
  });
}

/** A former one can be taken back at any time. Throws `conflict` and `throttled`. */
async function takeSlug(
  tx: Db,
  context: AccountContext,
  accountId: AccountId,
  slug: string,
): Promise<void> {
  const kept = await tx
    .select({ slug: accountSlugs.slug })
    .from(accountSlugs)
    .where(eq(accountSlugs.accountId, accountId));
  if (kept.some((one) => one.slug === slug)) return;
  await throttle(tx, context.throttles.slugPerAccount, `slug:account:${accountId}`);
  if (kept.length >= slugsMax) {
    const sentence = `An organization keeps at most ${slugsMax} URLs. Go back to one of its former ones.`;
    throw new Fault("conflict", sentence, { param: "slug" });
  }
  if (await reserveSlug(tx, accountId, slug)) return;
  throw new Fault("conflict", `The URL "${slug}" is taken. Choose another one.`, { param: "slug" });
}

/** A slug made of the name, with a number where that is taken. */
async function reserveFreeSlug(tx: Db, id: AccountId, name: string): Promise<string> {
  const base = slugOf(name);
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    // In order at first, then at random: an often used name must not cost a long search.
    const number = attempt <= 5 ? attempt : Math.floor(Math.random() * 1e6);
    const slug = number === 1 ? base : `${base}-${number}`;
    if (await reserveSlug(tx, id, slug)) return slug;
  }
  throw new Fault("overloaded", "No free URL was found for this name. Please try again.", {
    retryAfterMs: 1_000,
  });
}

/** True if it is the account's now, or was before. */
async function reserveSlug(tx: Db, accountId: AccountId, slug: string): Promise<boolean> {
  await tx.insert(accountSlugs).values({ slug, accountId }).onConflictDoNothing();
  const [owner] = await tx
    .select({ id: accountSlugs.accountId })
    .from(accountSlugs)
    .where(eq(accountSlugs.slug, slug));
  return owner?.id === accountId;
}

/** Throws `invalid_value`. */
function parseAccountName(text: string): string {
  const message = `A name has 1 to ${nameCharsMax.account} characters.`;
  return parseName(text, { charsMax: nameCharsMax.account, message });
}

/** Throws `invalid_value`. */
function parseSlug(text: string): string {
  const isFine =
    text.length >= slugCharsMin &&
    text.length <= slugCharsMax &&
    slugPattern.test(text) &&
    !text.startsWith(personalPrefix);
  if (isFine) return text;
  throw new Fault(
    "invalid_value",
    `Use ${slugCharsMin} to ${slugCharsMax} lower-case letters, digits and single hyphens, beginning with a letter.`,
    { param: "slug" },
  );
}

/** `Acme & Söhne GmbH` → `acme-sohne-gmbh`. */
function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  const cut = words
    .join("-")
    .replace(/^[^a-z]+/, "")
    .slice(0, slugCharsMax - numberCharsMax);
  const slug = cut.endsWith("-") ? cut.slice(0, -1) : cut;
  return slug.length >= slugCharsMin && !slug.startsWith(personalPrefix) ? slug : "team";
}
