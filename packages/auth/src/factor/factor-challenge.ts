// What ties an answer to what was asked: a token of 32 random bytes that the browser keeps for some minutes and
// of which only the hash is stored. It is used up by the right answer, and means nothing without one.
import { hashToken, makeToken, type PersonId } from "@turnpike/base";
import { type Db, factorChallenges, persons } from "@turnpike/db";
import { and, eq, gt, sql } from "drizzle-orm";

export type ChallengePurpose = "sign_in" | "add_passkey" | "use_passkey";

type FoundChallenge = { readonly personId: PersonId | null; readonly provider: string | null };

const lifetimeMs = 10 * 60_000;

/** For `sign_in` in the transaction that holds the lock of the person whose password was right. */
export async function issueChallenge(
  db: Db,
  purpose: ChallengePurpose,
  personId: PersonId | null,
  /** Who vouched for the person instead of their password. */
  provider: string | null = null,
): Promise<string> {
  const token = makeToken();
  await db.insert(factorChallenges).values({
    hash: hashToken(token),
    personId,
    purpose,
    provider,
    expiresAt: new Date(Date.now() + lifetimeMs),
  });
  return token;
}

/** Whose it is; undefined for one that is unknown or expired, or is for something else. */
export async function findChallenge(
  db: Db,
  purpose: ChallengePurpose,
  token: string,
): Promise<FoundChallenge | undefined> {
  const [found] = await db
    .select({ personId: factorChallenges.personId, provider: factorChallenges.provider })
    .from(factorChallenges)
    .where(isLive(purpose, token));
  return found;
}

/** The same, and uses it up. */
export async function consumeChallenge(
  db: Db,
  purpose: ChallengePurpose,
  token: string,
): Promise<FoundChallenge | undefined> {
  const [found] = await db
    .delete(factorChallenges)
    .where(isLive(purpose, token))
    .returning({ personId: factorChallenges.personId, provider: factorChallenges.provider });
  return found;
}

/** A change of password or address since then means that the proof of before is worth nothing. */
function isLive(purpose: ChallengePurpose, token: string) {
  const changed = sql`exists (select from ${persons} where ${persons.id} = ${factorChallenges.personId}
    and greatest(${persons.passwordChangedAt}, ${persons.emailVerifiedAt}) > ${factorChallenges.createdAt})`;
  return and(
    eq(factorChallenges.hash, hashToken(token)),
    eq(factorChallenges.purpose, purpose),
    gt(factorChallenges.expiresAt, sql`now()`),
    sql`not ${changed}`,
  );
}
