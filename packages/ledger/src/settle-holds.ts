// Sends one batch of settlements to the SQL function `settle_holds`: one ledger transaction, one
// durable commit, and for each hold the one way it ended.
import { type Failpoint, type LedgerTransactionId, newId, parseNanos } from "@turnpike/base";
import { arrayLiteral, elementsOf, type Sql } from "@turnpike/db";
import type { Settled, Settlement } from "./hold.ts";
import { storableJson, storableText } from "./storable-text.ts";

/** Arrays as PostgreSQL writes them; one element per settlement. */
type Answer = { readonly verdicts: string; readonly charged: string; readonly shortfalls: string };

const statement = `select verdicts::text, charged::text, shortfalls::text
  from settle_holds($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
    $19, $20, $21, $22, $23, $24)`;

/** Answers in the order of `settlements`; `busy` where an account was locked and `wait` is false. */
export async function settleHolds(
  sql: Sql,
  settlements: readonly Settlement[],
  options: { readonly wait: boolean; readonly failpoint: Failpoint },
): Promise<(Settled | "busy")[]> {
  const facts = settlements.map((settlement) => settlement.facts);
  const pending = sql
    .unsafe<Answer[]>(
      statement,
      [
        newId<LedgerTransactionId>(),
        options.wait,
        arrayLiteral(settlements.map((settlement) => settlement.id)),
        arrayLiteral(settlements.map((settlement) => settlement.accountId)),
        arrayLiteral(settlements.map((settlement) => settlement.state)),
        arrayLiteral(settlements.map((settlement) => settlement.costNanos)),
        arrayLiteral(facts.map((fact) => fact.promptTokens)),
        arrayLiteral(facts.map((fact) => fact.completionTokens)),
        arrayLiteral(facts.map((fact) => fact.cachedTokens)),
        arrayLiteral(facts.map((fact) => fact.cacheWriteTokens)),
        arrayLiteral(facts.map((fact) => fact.reasoningTokens)),
        arrayLiteral(facts.map((fact) => fact.usageSource)),
        arrayLiteral(facts.map((fact) => fact.maxTokens)),
        arrayLiteral(facts.map((fact) => fact.status)),
        arrayLiteral(facts.map((fact) => fact.outcome)),
        arrayLiteral(facts.map((fact) => fact.errorCode)),
        arrayLiteral(facts.map((fact) => textOrNull(fact.finishReason))),
        arrayLiteral(facts.map((fact) => textOrNull(fact.nativeFinishReason))),
        arrayLiteral(facts.map((fact) => fact.provider)),
        arrayLiteral(facts.map((fact) => textOrNull(fact.upstreamId))),
        arrayLiteral(facts.map((fact) => storableJson(fact.attempts))),
        arrayLiteral(facts.map((fact) => fact.firstByteMs)),
        arrayLiteral(facts.map((fact) => fact.overheadMs)),
        arrayLiteral(facts.map((fact) => fact.totalMs)),
      ],
      { prepare: true },
    )
    .execute();
  options.failpoint("settle-sent");
  const [answer] = await pending;
  options.failpoint("settle-committed");
  return answer === undefined ? [] : readAnswer(answer);
}

function readAnswer(answer: Answer): (Settled | "busy")[] {
  const charged = elementsOf(answer.charged);
  const shortfalls = elementsOf(answer.shortfalls);
  return elementsOf<Settled["verdict"] | "busy">(answer.verdicts).map((verdict, index) => {
    if (verdict === "busy") return "busy";
    const chargedNanos = parseNanos(charged[index] ?? "");
    return { verdict, chargedNanos, shortfallNanos: parseNanos(shortfalls[index] ?? "") };
  });
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}
