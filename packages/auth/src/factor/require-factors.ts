// An account can require a second factor of its members, from a moment that they are told: afterwards those who have
// none are refused there, and nowhere else. API keys are not affected.
import { accountPath, auditActorOf, type Member, type Membership } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { accounts, type Db, factors, memberships, persons, recordAudit } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, isNotNull, notExists } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import { factorKindsOf } from "./check-factor.ts";

/** Throws `second_factor_required`. */
export function requireFactor(
  account: Pick<Membership, "name" | "factorsRequiredFrom">,
  person: { readonly factors: readonly unknown[] },
): void {
  const { factorsRequiredFrom: from } = account;
  if (!from || person.factors.length > 0 || Date.parse(from) > Date.now()) return;
  throw new Fault(
    "second_factor_required",
    `${account.name} requires a second factor of its members. Add one in your settings, under Security.`,
  );
}

/** Null requires none. Throws `conflict` for those who would lock themselves out, and `permission_denied`. */
export async function requireFactors(
  db: Db,
  auth: Auth,
  { account, ...by }: Member,
  from: Date | null,
): Promise<void> {
  if (account.kind === "personal") {
    throw new Fault("permission_denied", "Nobody else is a member of a personal account.");
  }
  await db.transaction(async (tx) => {
    if (from !== null && (await factorKindsOf(tx, by.person.id)).length === 0) {
      throw new Fault("conflict", "Add a second factor to your own sign-in first.");
    }
    await tx.update(accounts).set({ factorsRequiredFrom: from }).where(eq(accounts.id, account.id));
    await recordAudit(tx, {
      accountId: account.id,
      by: auditActorOf(by),
      action: "account.require_factors",
      changes: {
        factorsRequiredFrom: [isoOf(account.factorsRequiredFrom), from?.toISOString() ?? null],
      },
    });
    if (from !== null) await mailThoseWithout(tx, auth, { account, ...by }, from);
  });
}

async function mailThoseWithout(tx: Db, auth: Auth, by: Member, from: Date): Promise<void> {
  const theirs = tx
    .select({ id: factors.id })
    .from(factors)
    .where(and(eq(factors.personId, persons.id), isNotNull(factors.confirmedAt)));
  const without = await tx
    .select({ email: persons.email })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(and(eq(memberships.accountId, by.account.id), notExists(theirs)));
  for (const { email } of without) {
    await queueMail(tx, email, {
      kind: "factor_required",
      accountName: by.account.name,
      at: from.toISOString(),
      link: `${auth.publicUrl}${accountPath(by.account)}/settings/security`,
    });
  }
}

function isoOf(at: string | null | undefined): string | null {
  return at ? new Date(at).toISOString() : null;
}
