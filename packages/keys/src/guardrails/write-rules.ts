// Writes rules of a guardrail, under the lock of the account or the key that they are for. A guardrail without a rule
// does not exist.
import type { AccountId, GuardrailId } from "@turnpike/base";
import { type Db, guardrails } from "@turnpike/db";
import { eq, sql } from "drizzle-orm";
import {
  type GuardrailSubject,
  hasRule,
  type RuleColumns,
  ruleSelection,
} from "./guardrail-rules.ts";

/** Sets these rules of the subject and leaves its others. */
export async function writeRules(
  tx: Db,
  accountId: AccountId,
  subject: GuardrailSubject,
  rules: Partial<RuleColumns>,
): Promise<GuardrailId> {
  const [written] = await tx
    .insert(guardrails)
    .values({ accountId, kind: subject.kind, subjectId: subject.subjectId, ...rules })
    .onConflictDoUpdate({
      target: [guardrails.accountId, guardrails.subjectId, guardrails.kind],
      set: { ...rules, changedAt: sql`now()` },
    })
    .returning({ id: guardrails.id, ...ruleSelection });
  if (written === undefined) throw new Error("the guardrail was not written");
  const { id, ...left } = written;
  if (!hasRule(left)) await tx.delete(guardrails).where(eq(guardrails.id, id));
  return id;
}
