// Adds an authenticator app: its secret counts once a code of it was given. The first factor of a person comes
// with recovery codes and signs out every other session, which never gave it.
import { type FactorId, Fault, newId } from "@turnpike/base";
import { type Db, factors } from "@turnpike/db";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import type { SessionOwner } from "../password/confirm-password.ts";
import { welcomeFactor } from "./change-factors.ts";
import { sealTotpSecret, unsealTotpSecret } from "./check-factor.ts";
import { lockFactors, parseFactorName, requireRoom } from "./factor-list.ts";
import { findTotpPeriod, makeTotpSecret, totpUri } from "./totp.ts";

export type BegunTotp = {
  readonly id: FactorId;
  /** In base32, for those who cannot scan. */
  readonly secret: string;
  /** `otpauth://…`, for the QR code. */
  readonly uri: string;
};

/** Throws `conflict`. Replaces what was begun before and not confirmed. */
export async function beginTotp(db: Db, auth: Auth, owner: SessionOwner): Promise<BegunTotp> {
  const { id: personId, email } = owner.person;
  const id = newId<FactorId>();
  const secret = makeTotpSecret();
  const sealed = sealTotpSecret(auth, id, secret);
  await db.transaction(async (tx) => {
    requireRoom(await lockFactors(tx, personId));
    await tx
      .delete(factors)
      .where(and(eq(factors.personId, personId), isNull(factors.confirmedAt)));
    await tx
      .insert(factors)
      .values({ id, personId, kind: "totp", name: "Authenticator app", secret: sealed });
  });
  return { id, secret, uri: totpUri({ secret, issuer: auth.productName, email }) };
}

/** Throws `not_found`, `conflict`, and `wrong_credentials` with `param`. Returns recovery codes with the first factor. */
export async function confirmTotp(
  db: Db,
  auth: Auth,
  owner: SessionOwner,
  input: { readonly id: FactorId; readonly code: string; readonly name: string },
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  const { id: personId } = owner.person;
  const name = parseFactorName(input.name);
  return db.transaction(async (tx) => {
    const others = await lockFactors(tx, personId);
    // Others may have been added since it was begun.
    requireRoom(others);
    const [begun] = await tx
      .select({ secret: factors.secret })
      .from(factors)
      .where(
        and(eq(factors.id, input.id), eq(factors.personId, personId), isNull(factors.confirmedAt)),
      );
    if (!begun?.secret) {
      throw new Fault(
        "not_found",
        "This was started again elsewhere or took too long. Start again.",
      );
    }
    const period = findTotpPeriod(unsealTotpSecret(auth, input.id, begun.secret), input.code);
    if (period === undefined) {
      throw new Fault(
        "wrong_credentials",
        "This is not the code that belongs to the QR code. Check the clock of your device.",
        { param: "code" },
      );
    }
    await tx
      .update(factors)
      .set({ name, confirmedAt: sql`now()`, lastPeriod: period, lastUsedAt: sql`now()` })
      .where(eq(factors.id, input.id));
    return welcomeFactor(tx, auth, owner, { name, isFirst: others.length === 0 });
  });
}
