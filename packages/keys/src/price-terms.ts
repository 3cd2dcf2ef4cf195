// The prices an account agreed with the operator: a markup or a discount on the list price of some models. The
// most specific term that is in force decides; terms never add up.
import { type AccountId, Fault } from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  apiKeys,
  type Db,
  type PriceTerm,
  recordAudit,
} from "@turnpike/db";
import { eq, sql } from "drizzle-orm";
import { matchesName } from "./guardrails/guardrail-rules.ts";
import { notifyKeyChange } from "./notify-key-change.ts";

/** The constraint `accounts_price_terms` has the same bound. */
export const priceTermMax = 100;

/** Undefined where the list price applies. */
export function markupOf(
  terms: readonly PriceTerm[] | undefined,
  modelId: string,
  now: number = Date.now(),
): number | undefined {
  if (terms === undefined) return undefined;
  let best: PriceTerm | undefined;
  for (const term of terms) {
    if (term.until !== undefined && Date.parse(term.until) <= now) continue;
    if (!matchesName(term.models, modelId)) continue;
    if (best === undefined || isMoreSpecific(term.models, best.models)) best = term;
  }
  return best?.markupBasisPoints;
}

/** An id before a pattern, and a longer pattern before a shorter one. */
function isMoreSpecific(a: string, b: string): boolean {
  const isPattern = (text: string) => text.endsWith("*");
  if (isPattern(a) !== isPattern(b)) return isPattern(b);
  return a.length > b.length;
}

/** As it is shown and written in the audit log: `anthropic/*: -10% until 2027-01-01`. */
export function describePriceTerm({ models, markupBasisPoints, until }: PriceTerm): string {
  const percent = `${markupBasisPoints < 0 ? "" : "+"}${markupBasisPoints / 100}%`;
  return `${models}: ${percent}${until === undefined ? "" : ` until ${until.slice(0, 10)}`}`;
}

export async function readPriceTerms(db: Db, accountId: AccountId): Promise<readonly PriceTerm[]> {
  const [row] = await db
    .select({ priceTerms: accounts.priceTerms })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (row === undefined) throw new Fault("not_found", "There is no such account.");
  return row.priceTerms ?? [];
}

type Editor = { readonly accountId: AccountId; readonly by: AuditActor };

/** Replaces all terms; every instance prices its next calls by them. */
export async function setPriceTerms(
  db: Db,
  { accountId, by }: Editor,
  terms: readonly PriceTerm[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ priceTerms: accounts.priceTerms })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for("no key update");
    if (before === undefined) throw new Fault("not_found", "There is no such account.");
    const priceTerms = terms.length === 0 ? null : terms;
    await tx.update(accounts).set({ priceTerms }).where(eq(accounts.id, accountId));
    // For instances that poll for changed keys.
    await tx
      .update(apiKeys)
      .set({ changedAt: sql`clock_timestamp()` })
      .where(eq(apiKeys.accountId, accountId));
    const shown = (list: readonly PriceTerm[] | null) =>
      list === null || list.length === 0 ? null : list.map(describePriceTerm).join(", ");
    const changes = { prices: [shown(before.priceTerms), shown(priceTerms)] as const };
    await recordAudit(tx, { accountId, by, action: "account.set_prices", changes });
  });
  await notifyKeyChange(db, accountId);
}
