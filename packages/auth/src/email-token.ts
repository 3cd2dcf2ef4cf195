// The secret in a mailed link: 32 random bytes of which only the hash is stored, for one purpose and
// one address, used once. A used row stays, so that a second click can be told what happened.

import { Fault, type PersonId } from "@turnpike/base";
import { type Db, emailTokens } from "@turnpike/db";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { hashToken, makeToken } from "./hash-token.ts";

export type TokenPurpose = "verify" | "reset" | "change";

const minuteMs = 60_000;

export const tokenLifetimesMs: Readonly<Record<TokenPurpose, number>> = {
  verify: 24 * 60 * minuteMs,
  reset: 30 * minuteMs,
  change: 60 * minuteMs,
};

export type FoundToken = {
  readonly personId: PersonId;
  /** The address it was sent to. */
  readonly email: string;
};

/** Makes a token; what is returned goes into the link and nowhere else. */
export async function issueToken(
  db: Db,
  wish: FoundToken & { readonly purpose: TokenPurpose },
): Promise<string> {
  const token = makeToken();
  await db.insert(emailTokens).values({
    hash: hashToken(token),
    personId: wish.personId,
    purpose: wish.purpose,
    email: wish.email,
    expiresAt: new Date(Date.now() + tokenLifetimesMs[wish.purpose]),
  });
  return token;
}

/** Uses a token up. Undefined when it is unknown, used, expired, or for something else. */
export async function consumeToken(
  db: Db,
  purpose: TokenPurpose,
  token: string,
): Promise<FoundToken | undefined> {
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

/** The token whatever became of it, for telling a second click from a wrong link. */
export async function findSpentToken(
  db: Db,
  purpose: TokenPurpose,
  token: string,
): Promise<FoundToken | undefined> {
  const [found] = await db
    .select({ personId: emailTokens.personId, email: emailTokens.email })
    .from(emailTokens)
    .where(and(eq(emailTokens.hash, hashToken(token)), eq(emailTokens.purpose, purpose)));
  return found;
}

/** Links sent before lead nowhere any more. */
export async function revokeTokens(
  db: Db,
  personId: PersonId,
  purpose: TokenPurpose,
): Promise<void> {
  await db
    .update(emailTokens)
    .set({ consumedAt: sql`now()` })
    .where(
      and(
        eq(emailTokens.personId, personId),
        eq(emailTokens.purpose, purpose),
        isNull(emailTokens.consumedAt),
      ),
    );
}

/** One answer for every link that does not work: it must not say whether it ever did. */
export function deadLink(): Fault {
  return new Fault("token_expired", "This link has expired or was used already.", {
    param: "token",
  });
}
