// Checks the proof of one factor. Each code works once: a code of an app is refused in its period and after it
// once it was used, a recovery code for good.
import { Fault, type PersonId } from "@turnpike/base";
import { type Db, type FactorKind, factors } from "@turnpike/db";
import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import { takeRecoveryCode } from "./recovery-codes.ts";
import { findTotpPeriod } from "./totp.ts";

export type FactorProof =
  | { readonly method: "totp"; readonly code: string }
  | { readonly method: "recovery_code"; readonly code: string };

export type FactorMethod = FactorProof["method"];

/** What someone with these factors may use. */
export function methodsOf(kinds: readonly FactorKind[]): readonly FactorMethod[] {
  if (kinds.length === 0) return [];
  return [...(kinds.includes("totp") ? (["totp"] as const) : []), "recovery_code"];
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
  const isRight = await checks[proof.method](tx, auth, personId, proof.code);
  if (isRight) return;
  throw new Fault("wrong_credentials", wrong[proof.method], { param: "code" });
}

const wrong = {
  totp: "This code is wrong or was already used. Wait for the next one.",
  recovery_code: "This is not one of your recovery codes, or it was already used.",
} satisfies Record<FactorMethod, string>;

const checks = {
  totp: takeTotpCode,
  recovery_code: (tx, _, personId, code) => takeRecoveryCode(tx, personId, code),
} satisfies Record<
  FactorMethod,
  (tx: Db, auth: Auth, personId: PersonId, code: string) => Promise<boolean>
>;

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
    const period = secret && findTotpPeriod(openTotpSecret(auth, id, secret), code);
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
export function openTotpSecret(auth: Auth, id: string, sealed: Uint8Array): string {
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
