// The way back in for those who lost every second factor and every recovery code: the password, a delay of three
// days, and a link that is mailed when it is over. The address is told at once and can cancel; so can every session
// that is still open, and anyone who signs in with a factor. There is no other way, not even for an operator.
import { deadLink } from "@turnpike/accounts";
import { Fault, hashToken, makeToken, type PersonId } from "@turnpike/base";
import {
  type Db,
  factorChallenges,
  factorRecoveries,
  factors,
  recoveryCodes,
  sessions,
} from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import { issueUndoLink } from "../email-link/undo-link.ts";
import { findPersonById } from "../person/find-person.ts";
import { linkAttempts } from "../throttle/login-attempts.ts";
import { countGuess, forgetGuesses } from "../throttle/slow-guessing.ts";
import { findChallenge } from "./factor-challenge.ts";
import { lockFactors } from "./factor-list.ts";

const hourMs = 3_600_000;
export const recoveryDelayMs = 72 * hourMs;
/** How long the link works once it was mailed, at most. */
const recoveryUseMs = 7 * 24 * hourMs;
const announcedMax = 100;

const isPending = and(isNull(factorRecoveries.canceledAt), isNull(factorRecoveries.finishedAt));
const isLive = and(isPending, gt(factorRecoveries.expiresAt, sql`now()`));

/** For those whose password was right. A second request changes nothing. Throws `token_expired`. */
export async function requestRecovery(
  db: Db,
  auth: Auth,
  { challenge }: { readonly challenge: string },
): Promise<{ readonly readyAt: Date }> {
  const asked = await findChallenge(db, "sign_in", challenge);
  if (!asked?.personId) {
    throw new Fault("token_expired", "This took too long. Enter your password again.");
  }
  const { personId } = asked;
  return db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    const pending = await findRecovery(tx, personId);
    if (pending !== undefined) return pending;
    await cancelWhere(tx, eq(factorRecoveries.personId, personId));
    const token = makeToken();
    const readyAt = new Date(Date.now() + recoveryDelayMs);
    await tx.insert(factorRecoveries).values({
      id: Bun.randomUUIDv7(),
      personId,
      readyAt,
      expiresAt: new Date(readyAt.getTime() + recoveryUseMs),
      cancelHash: hashToken(token),
    });
    const person = await findPersonById(tx, personId);
    if (person === undefined) throw deadLink();
    await queueMail(tx, person.email, {
      kind: "factor_recovery_requested",
      at: readyAt.toISOString(),
      link: `${auth.publicUrl}/recover-factors?cancel=${token}`,
    });
    return { readyAt };
  });
}

/** The pending one. */
export async function findRecovery(
  db: Db,
  personId: PersonId,
): Promise<{ readonly readyAt: Date } | undefined> {
  const [found] = await db
    .select({ readyAt: factorRecoveries.readyAt })
    .from(factorRecoveries)
    .where(and(eq(factorRecoveries.personId, personId), isLive));
  return found;
}

/** By the mailed link. Throws `token_expired`. */
export async function cancelRecovery(db: Db, token: string): Promise<void> {
  if ((await cancelWhere(db, eq(factorRecoveries.cancelHash, hashToken(token)))) === 0) {
    throw deadLink();
  }
}

/** By the person: in an open session, or by signing in with a factor. */
export async function cancelRecoveryOf(db: Db, personId: PersonId): Promise<void> {
  await cancelWhere(db, eq(factorRecoveries.personId, personId));
}

async function cancelWhere(db: Db, which: SQL): Promise<number> {
  const canceled = await db
    .update(factorRecoveries)
    .set({ canceledAt: sql`now()` })
    .where(and(which, isPending))
    .returning({ id: factorRecoveries.id });
  return canceled.length;
}

/** Mails the link that completes it to those whose delay is over. Returns how many. */
export async function announceRecoveries(db: Db, publicUrl: string): Promise<number> {
  return db.transaction(async (tx) => {
    const ready = await tx
      .select({
        id: factorRecoveries.id,
        personId: factorRecoveries.personId,
        expiresAt: factorRecoveries.expiresAt,
      })
      .from(factorRecoveries)
      .where(
        and(isLive, isNull(factorRecoveries.finishHash), lte(factorRecoveries.readyAt, sql`now()`)),
      )
      .limit(announcedMax)
      .for("update", { skipLocked: true });
    for (const { id, personId, expiresAt } of ready) {
      const person = await findPersonById(tx, personId);
      if (person === undefined) continue;
      const token = makeToken();
      await tx
        .update(factorRecoveries)
        .set({ finishHash: hashToken(token) })
        .where(eq(factorRecoveries.id, id));
      await queueMail(tx, person.email, {
        kind: "factor_recovery_ready",
        at: expiresAt.toISOString(),
        link: `${publicUrl}/recover-factors?finish=${token}`,
      });
    }
    return ready.length;
  });
}

/**
 * Removes every factor and signs out every session; then the password alone signs in. Throws `token_expired`,
 * `wrong_credentials` and `throttled`.
 */
export async function finishRecovery(
  db: Db,
  auth: Auth,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<{ readonly email: string }> {
  const isNamed = eq(factorRecoveries.finishHash, hashToken(token));
  const [named] = await db
    .select({ personId: factorRecoveries.personId })
    .from(factorRecoveries)
    .where(and(isNamed, isLive));
  const person = named && (await findPersonById(db, named.personId));
  if (person === undefined) throw deadLink();
  const attempts = linkAttempts(token);
  await countGuess(db, auth.throttles.loginPerPerson, attempts);
  const { right } = await auth.passwords.verify(password, person.passwordHash);
  if (!right) {
    throw new Fault("wrong_credentials", "This is not your password.", { param: "password" });
  }
  await forgetGuesses(db, attempts);
  const { id: personId, email } = person;
  return db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    const finished = await tx
      .update(factorRecoveries)
      .set({ finishedAt: sql`now()` })
      .where(and(isNamed, isLive))
      .returning({ id: factorRecoveries.id });
    if (finished.length === 0) throw deadLink();
    await tx.delete(factors).where(eq(factors.personId, personId));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
    await tx.delete(factorChallenges).where(eq(factorChallenges.personId, personId));
    await tx.delete(sessions).where(eq(sessions.personId, personId));
    await queueMail(tx, email, {
      kind: "factor_removed",
      name: "all of them, after the delay",
      at: new Date().toISOString(),
      ...(await issueUndoLink(tx, auth, { personId, email })),
    });
    return { email };
  });
}
