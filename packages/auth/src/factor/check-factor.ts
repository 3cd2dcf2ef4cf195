// Checks the proof of one factor. Each code works once: a code of an app is refused in its period and after it
// once it was used, a recovery code for good.
import { Fault, type PersonId } from "@turnpike/base";
import { type Db, type FactorKind, factors } from "@turnpike/db";
import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import { takeRecoveryCode } from "./recovery-codes.ts";
import { findTotpPeriod } from "./totp.ts";
import { takePasskey } from "./use-passkey.ts";

export type FactorProof =
  | { readonly method: "totp"; readonly code: string }
  | { readonly method: "recovery_code"; readonly code: string }
  | {
      readonly method: "passkey";
      /** The browser's answer, as JSON. */
      readonly credential: string;
    };

export type FactorMethod = FactorProof["method"];

/** What someone with these factors may use. */
export function methodsOf(kinds: readonly FactorKind[]): readonly FactorMethod[] {
  if (kinds.length === 0) return [];
  const own = (["passkey", "totp"] as const).filter((kind) => kinds.includes(kind));
  return [...own, "recovery_code"];
}

export async function factorKindsOf(db: Db, personId: PersonId): Promise<readonly FactorKind[]> {
  const rows = await db
    .selectDistinct({ kind: factors.kind })
    .from(factors)
    .where(and(eq(factors.personId, personId), isNotNull(factors.confirmedAt)));
  return rows.map(({ kind }) => kind);
}

/**
 * Uses the proof up. Call it in the transaction that does what was proved, with the person's lock; the attempt
 * must have been counted. Throws `wrong_credentials`.
 */
export async function checkFactor(
  tx: Db,
  auth: Auth,
  personId: PersonId,
  proof: FactorProof,
): Promise<void> {
  if (proof.method === "passkey") {
    const { credential } = proof;
    return takePasskey(tx, auth, personId, { credential, isAlone: false });
  }
  const { code } = proof;
  const isRight =
    proof.method === "totp"
      ? await takeTotpCode(tx, auth, personId, code)
      : await takeRecoveryCode(tx, personId, code);
  if (!isRight) throw new Fault("wrong_credentials", wrong[proof.method], { param: "code" });
}

const wrong = {
  totp: "This code is wrong or was already used. Wait for the next one.",
  recovery_code: "This is not one of your recovery codes, or it was already used.",
} as const;

async function takeTotpCode(
  tx: Db,
  auth: Auth,
  personId: PersonId,
  code: string,
): Promise<boolean> {
  const apps = await tx
    .select({ id: factors.id, secret: factors.secret })
    .from(factors)
    .where(
      and(eq(factors.personId, personId), eq(factors.kind, "totp"), isNotNull(factors.confirmedAt)),
    );
  for (const { id, secret } of apps) {
    const period = secret && findTotpPeriod(unsealTotpSecret(auth, id, secret), code);
    if (!period) continue;
    const taken = await tx
      .update(factors)
      .set({ lastPeriod: period, lastUsedAt: sql`now()` })
      .where(
        and(eq(factors.id, id), or(isNull(factors.lastPeriod), lt(factors.lastPeriod, period))),
      )
      .returning({ id: factors.id });
    if (taken.length > 0) return true;
  }
  return false;
}

/** Throws where the key that sealed it is not configured any more. */
export function unsealTotpSecret(auth: Auth, id: string, sealed: Uint8Array): string {
  return requireSealer(auth).open(`factors ${id}`, sealed);
}

export function sealTotpSecret(auth: Auth, id: string, secret: string): Uint8Array {
  return requireSealer(auth).seal(`factors ${id}`, secret);
}

function requireSealer({ sealer }: Auth) {
  if (sealer !== undefined) return sealer;
  throw new Fault(
    "conflict",
    "Authenticator apps are off on this server: its operator has not set SEALING_KEY.",
  );
}
