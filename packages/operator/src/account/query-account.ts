// The account that an operator names: by its id, its slug, or the address of a member.
import { normalizeEmail } from "@turnpike/accounts";
import { type AccountId, Fault, lowerAscii, parseId } from "@turnpike/base";
import { accountSlugs, accounts, type Db, memberships, persons } from "@turnpike/db";
import type { AccountKind } from "@turnpike/terms";
import { asc, eq, inArray, or } from "drizzle-orm";

export type NamedAccount = {
  readonly id: AccountId;
  readonly kind: AccountKind;
  readonly name: string;
  readonly slug: string;
};

/** Of several accounts of a person, their personal one. Throws `not_found`. */
export async function queryAccount(db: Db, text: string): Promise<NamedAccount> {
  const named = text.trim();
  const id = parseId<AccountId>(lowerAscii(named));
  const ofPerson = db
    .select({ id: memberships.accountId })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(eq(persons.email, normalizeEmail(named) ?? named));
  const ofSlug = db
    .select({ id: accountSlugs.accountId })
    .from(accountSlugs)
    .where(eq(accountSlugs.slug, named));
  const [found] = await db
    .select({ id: accounts.id, kind: accounts.kind, name: accounts.name, slug: accounts.slug })
    .from(accounts)
    .where(
      id !== undefined
        ? eq(accounts.id, id)
        : or(
            eq(accounts.slug, named),
            inArray(accounts.id, ofSlug),
            inArray(accounts.id, ofPerson),
          ),
    )
    .orderBy(eq(accounts.kind, "organization"), asc(accounts.createdAt), asc(accounts.id))
    .limit(1);
  if (found !== undefined) return found;
  throw new Fault("not_found", `There is no account for ${named}.`);
}
