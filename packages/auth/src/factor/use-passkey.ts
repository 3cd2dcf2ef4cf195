// Asks for the answer of a passkey and uses it up: as a second factor one of the person's own, alone any passkey of
// this site that has verified its user.
import { throttle } from "@turnpike/accounts";
import { customerNetwork, type PersonId } from "@turnpike/base";
import { type Db, factors } from "@turnpike/db";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { consumeChallenge, findChallenge, issueChallenge } from "./factor-challenge.ts";
import {
  credentialIdIn,
  type RequestOptions,
  requestOptions,
  type StoredPasskey,
  verifyAnswer,
  wrongPasskey,
} from "./passkey.ts";

type Passkey = StoredPasskey & { readonly personId: PersonId };

const isPasskey = eq(factors.kind, "passkey");

export async function queryPasskeys(db: Db, personId: PersonId): Promise<readonly StoredPasskey[]> {
  return queryStored(db, and(eq(factors.personId, personId), isPasskey));
}

/** To prove who they are once more. */
export async function askOwnPasskey(
  db: Db,
  auth: Auth,
  personId: PersonId,
): Promise<RequestOptions> {
  const token = await issueChallenge(db, "use_passkey", personId);
  return requestOptions(auth, { token, known: await queryPasskeys(db, personId) });
}

/** Each challenge is a row. Throws `throttled`. */
export function throttlePasskeys(db: Db, auth: Auth, caller: Caller): Promise<void> {
  const bucket = `passkey:address:${customerNetwork(caller.address)}`;
  return throttle(db, auth.throttles.passkeyPerAddress, bucket);
}

/**
 * To sign in: after the first step one of the person's own passkeys, without a `challenge` any. Throws
 * `wrong_credentials` and `throttled`.
 */
export async function askPasskey(
  db: Db,
  auth: Auth,
  caller: Caller,
  challenge: string | undefined,
): Promise<RequestOptions> {
  if (challenge === undefined) {
    await throttlePasskeys(db, auth, caller);
    return requestOptions(auth, { token: await issueChallenge(db, "use_passkey", null) });
  }
  const asked = await findChallenge(db, "sign_in", challenge);
  if (!asked?.personId) throw wrongPasskey();
  return askOwnPasskey(db, auth, asked.personId);
}

/** Whose passkey answered. What it proves is still to be checked. */
export async function findPasskeyOwner(db: Db, credential: string): Promise<Passkey> {
  const named = eq(factors.credentialId, credentialIdIn(credential));
  const [found] = await queryStored(db, and(named, isPasskey));
  if (found === undefined) throw wrongPasskey();
  return found;
}

/**
 * Uses the answer up; `isAlone` where it is all that is asked. Call it in the transaction that does what was proved,
 * with the person's lock. Throws `wrong_credentials`.
 */
export async function takePasskey(
  tx: Db,
  auth: Auth,
  personId: PersonId,
  answer: { readonly credential: string; readonly isAlone: boolean },
): Promise<void> {
  const stored = await findPasskeyOwner(tx, answer.credential);
  if (stored.personId !== personId) throw wrongPasskey();
  const { token, useCount } = await verifyAnswer(auth, stored, answer);
  const asked = await consumeChallenge(tx, "use_passkey", token);
  if (asked === undefined || asked.personId !== (answer.isAlone ? null : personId)) {
    throw wrongPasskey();
  }
  await tx
    .update(factors)
    .set({ useCount, lastUsedAt: sql`now()` })
    .where(eq(factors.credentialId, stored.credentialId));
}

async function queryStored(db: Db, which: ReturnType<typeof and>): Promise<readonly Passkey[]> {
  const rows = await db
    .select({
      personId: factors.personId,
      credentialId: factors.credentialId,
      publicKey: factors.publicKey,
      useCount: factors.useCount,
      transports: factors.transports,
    })
    .from(factors)
    .where(and(which, isNotNull(factors.confirmedAt)));
  return rows.flatMap(({ personId, credentialId, publicKey, useCount, transports }) =>
    credentialId === null || publicKey === null
      ? []
      : [
          {
            personId,
            credentialId,
            publicKey,
            useCount: useCount ?? 0,
            transports: transports ?? "",
          },
        ],
  );
}
