// The secret in a mailed link: 32 random bytes of which only the hash is stored, for one purpose and
// one address, used once. A used row stays, so that a second click can be answered with what happened.

import { deadLink, lockPerson } from "@turnpike/accounts";
import { hashToken, makeToken, type PersonId } from "@turnpike/base";
import { type Db, emailTokens } from "@turnpike/db";
import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";

/**
 * `verify` proves an address, `reset` sets a password, `change` moves to another address, `unlock`
 * lets one browser sign in despite too many attempts, `undo` reverts a change of the account.
 */
export type TokenPurpose = "verify" | "reset" | "change" | "unlock" | "undo";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const tokenLifetimesMs: Readonly<Record<TokenPurpose, number>> = {
  verify: 24 * hourMs,
  reset: 30 * minuteMs,
  change: hourMs,
  unlock: 24 * hourMs,
  undo: 72 * hourMs,
};

export type TokenOwner = {
  readonly personId: PersonId;
  /** The address it was sent to. */
  readonly email: string;
};

export type FoundToken = TokenOwner & {
  /** Neither used, revoked nor expired. */
  readonly live: boolean;
};

/**
 * Creates a token; the returned value goes into the link and nowhere else. Only the newest link of a
 * purpose works, except for `undo`: every change can be undone for the time its mail states. Call it
 * in a transaction.
 */
export async function issueToken(
  db: Db,
  input: TokenOwner & { readonly purpose: TokenPurpose; readonly expiresAt?: Date },
): Promise<string> {
  const { personId, purpose, email } = input;
  if (purpose !== "undo") {
    // Two links issued at the same moment would not see each other.
    await lockPerson(db, personId);
    await revokeLinksOf(db, personId, purpose);
  }
  const token = makeToken();
  await db.insert(emailTokens).values({
    hash: hashToken(token),
    personId,
    purpose,
    email,
    expiresAt: input.expiresAt ?? new Date(Date.now() + tokenLifetimesMs[purpose]),
  });
  return token;
}

/**
 * Uses a token up. Undefined when it is unknown, used, expired, or for something else. Call it in a
 * transaction: it locks the person first, as everything does that revokes links.
 */
export async function consumeToken(
  db: Db,
  purpose: TokenPurpose,
  token: string,
): Promise<TokenOwner | undefined> {
  const found = await findToken(db, purpose, token);
  if (found === undefined) return undefined;
  await lockPerson(db, found.personId);
  const [consumed] = await db
    .update(emailTokens)
    .set({ consumedAt: sql`now()` })
    .where(
      and(
        eq(emailTokens.hash, hashToken(token)),
        eq(emailTokens.purpose, purpose),
        isNull(emailTokens.consumedAt),
        gt(emailTokens.expiresAt, sql`now()`),
      ),
    )
    .returning({ personId: emailTokens.personId, email: emailTokens.email });
  return consumed;
}

/** The token, live or not, to distinguish a second click from a wrong link. */
export async function findToken(
  db: Db,
  purpose: TokenPurpose,
  token: string,
): Promise<FoundToken | undefined> {
  const [found] = await db
    .select({
      personId: emailTokens.personId,
      email: emailTokens.email,
      live: sql<boolean>`${emailTokens.consumedAt} is null and ${emailTokens.expiresAt} > now()`,
    })
    .from(emailTokens)
    .where(and(eq(emailTokens.hash, hashToken(token)), eq(emailTokens.purpose, purpose)));
  return found;
}

/** Whether such a link was ever mailed, for any purpose. */
export async function isTokenKnown(db: Db, token: string): Promise<boolean> {
  const found = await db
    .select({ purpose: emailTokens.purpose })
    .from(emailTokens)
    .where(eq(emailTokens.hash, hashToken(token)));
  return found.length > 0;
}

/** Revokes the pending links of one purpose. */
export async function revokeLinksOf(
  db: Db,
  personId: PersonId,
  purpose: TokenPurpose,
): Promise<void> {
  await revokeLinks(db, and(eq(emailTokens.personId, personId), eq(emailTokens.purpose, purpose)));
}

/**
 * Revokes every pending link of a person, whatever it is for. Links that undo a change stay: an
 * attacker who changes a password must not take the owner's way back with it.
 */
export async function revokePendingLinks(db: Db, personId: PersonId): Promise<void> {
  await revokeLinks(db, and(eq(emailTokens.personId, personId), ne(emailTokens.purpose, "undo")));
}

/**
 * When the change was made that a link undoes: its address may have been mailed further links to undo the
 * same change later.
 */
export async function queryChangedAt(db: Db, { personId, email }: TokenOwner): Promise<Date> {
  const [first] = await db
    .select({ at: emailTokens.createdAt })
    .from(emailTokens)
    .where(
      and(
        eq(emailTokens.personId, personId),
        eq(emailTokens.purpose, "undo"),
        eq(emailTokens.email, email),
        gt(emailTokens.expiresAt, sql`now()`),
      ),
    )
    .orderBy(emailTokens.createdAt)
    .limit(1);
  if (first === undefined) throw deadLink();
  return first.at;
}

/** Revokes the links that undo changes made after the one that `token` undoes. */
export async function revokeLaterUndos(db: Db, personId: PersonId, token: string): Promise<void> {
  const since = sql`(select t.created_at from email_tokens t where t.hash = ${hashToken(token)})`;
  await revokeLinks(
    db,
    and(
      eq(emailTokens.personId, personId),
      eq(emailTokens.purpose, "undo"),
      sql`${emailTokens.createdAt} >= ${since}`,
    ),
  );
}

async function revokeLinks(db: Db, which: ReturnType<typeof and>): Promise<void> {
  await db
    .update(emailTokens)
    .set({ consumedAt: sql`now()` })
    .where(and(which, isNull(emailTokens.consumedAt)));
}
