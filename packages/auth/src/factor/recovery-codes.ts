// Ten codes to print: each works once, in place of a factor. 80 random bits each, of which only the hash is
// stored; new codes replace all earlier ones.

import { randomBytes } from "node:crypto";
import { hashToken, lowerAscii, type PersonId, parseTypedCode } from "@turnpike/base";
import { type Db, recoveryCodes } from "@turnpike/db";
import { and, count, eq, isNull, sql } from "drizzle-orm";
import { encodeBase32 } from "./totp.ts";

export const recoveryCodesMade = 10;

/** Call it in a transaction that holds the person's lock. */
export async function replaceRecoveryCodes(tx: Db, personId: PersonId): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodesMade }, makeCode);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ personId, hash: hashToken(parseCode(code)) })));
  return codes;
}

/** False for a code that is unknown or was used. */
export async function takeRecoveryCode(tx: Db, personId: PersonId, code: string): Promise<boolean> {
  const taken = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.personId, personId),
        eq(recoveryCodes.hash, hashToken(parseCode(code))),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ personId: recoveryCodes.personId });
  return taken.length > 0;
}

export async function countRecoveryCodes(db: Db, personId: PersonId): Promise<number> {
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.personId, personId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}

/** `abcd-efgh-ijkl-mnop`. */
function makeCode(): string {
  const text = encodeBase32(randomBytes(10)).toLowerCase();
  return (text.match(/.{4}/g) ?? []).join("-");
}

/** As people type it, in upper or lower case. */
function parseCode(typed: string): string {
  return lowerAscii(parseTypedCode(typed));
}
