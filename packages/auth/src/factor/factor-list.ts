// The factors of a person. Everything that changes them takes the person's lock first.
import { holdPerson, lockPerson } from "@turnpike/accounts";
import { type FactorId, Fault, type PersonId, parseName } from "@turnpike/base";
import { type Db, type FactorKind, factors } from "@turnpike/db";
import { nameCharsMax } from "@turnpike/terms";
import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";

export type ListedFactor = {
  readonly id: FactorId;
  readonly kind: FactorKind;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** Of a passkey: other devices have a copy of it. */
  readonly isBackedUp: boolean;
};

const factorsMax = 10;

/** Confirmed ones, oldest first. */
export async function queryFactors(db: Db, personId: PersonId): Promise<readonly ListedFactor[]> {
  const rows = await db
    .select({
      id: factors.id,
      kind: factors.kind,
      name: factors.name,
      createdAt: factors.createdAt,
      lastUsedAt: factors.lastUsedAt,
      isBackedUp: factors.isBackedUp,
    })
    .from(factors)
    .where(and(eq(factors.personId, personId), isNotNull(factors.confirmedAt)))
    .orderBy(factors.createdAt, factors.id);
  return rows.map((row) => ({ ...row, isBackedUp: row.isBackedUp === true }));
}

/** As a column of a query: the kinds of factor that the person `personId` has. */
export function factorKindsColumn(personId: SQL): SQL<readonly FactorKind[]> {
  return sql`(
    select coalesce(json_agg(distinct ${factors.kind}), '[]') from ${factors}
     where ${factors.personId} = ${personId} and ${factors.confirmedAt} is not null)`;
}

/**
 * Locks the person, as everything does that ends sessions or opens one. Throws `unauthenticated` for someone who was
 * deleted meanwhile.
 */
export async function lockFactors(tx: Db, personId: PersonId): Promise<readonly ListedFactor[]> {
  await lockPerson(tx, personId);
  await holdPerson(tx, personId);
  return queryFactors(tx, personId);
}

/** Throws `conflict`. */
export function requireRoom(list: readonly ListedFactor[]): void {
  if (list.length < factorsMax) return;
  throw new Fault("conflict", `You have ${factorsMax} factors. Remove one first.`);
}

/** Throws `invalid_value`. */
export function parseFactorName(text: string): string {
  const message = `A name has 1 to ${nameCharsMax.factor} characters.`;
  return parseName(text, { charsMax: nameCharsMax.factor, message });
}
