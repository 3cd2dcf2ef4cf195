// The limits of one key where they are stored: rates and expiry in its row, spend limits as its budgets, models and
// addresses as rules of its guardrail. Callers that write hold the lock of the key's row, under which its
// budgets are counted.
import { type AccountId, type ApiKeyId, Fault } from "@turnpike/base";
import { apiKeys, budgets, type Db, keyLimits } from "@turnpike/db";
import { budgetPeriods } from "@turnpike/terms";
import { and, eq, inArray, type SQL } from "drizzle-orm";
import { writeRules } from "../guardrails/write-rules.ts";
import {
  type KeyLimits,
  noLimits,
  type RowLimitColumns,
  rowLimitSelection,
  toRowLimits,
} from "./key-limits.ts";
import { writeBudget } from "./write-budget.ts";

type Key = { readonly accountId: AccountId; readonly id: ApiKeyId };

/** What of them the row of a key has. Throws `invalid_value` for a limit that is negative. */
export function rowLimitsOf(limits: KeyLimits): RowLimitColumns {
  const { requestsPerMinute, tokensPerMinute, concurrency, spendLimitNanos } = limits;
  assertNotNegative({ ...spendLimitNanos, requestsPerMinute, tokensPerMinute, concurrency });
  return {
    requestsPerMinute: requestsPerMinute ?? null,
    tokensPerMinute: tokensPerMinute ?? null,
    concurrency: concurrency ?? null,
    expiresAt: limits.expiresAt ?? null,
  };
}

/** Of the one key that the condition chooses; undefined if it chooses no key. */
export async function queryKeyLimits(
  db: Db,
  chosen: SQL | undefined,
): Promise<KeyLimits | undefined> {
  const [row] = await db
    .select({
      ...rowLimitSelection,
      day: keyLimits.dayLimitNanos,
      week: keyLimits.weekLimitNanos,
      month: keyLimits.monthLimitNanos,
      total: keyLimits.totalLimitNanos,
      models: keyLimits.allowedModels,
      addresses: keyLimits.allowedAddresses,
    })
    .from(apiKeys)
    .innerJoin(keyLimits, eq(keyLimits.keyId, apiKeys.id))
    .where(chosen);
  if (row === undefined) return undefined;
  const { models, addresses } = row;
  const spend = budgetPeriods.flatMap((period) => {
    const limitNanos = row[period];
    return limitNanos === null ? [] : [[period, limitNanos] as const];
  });
  return {
    ...toRowLimits(row),
    spendLimitNanos: Object.fromEntries(spend),
    ...(models !== null && { allowedModels: models }),
    ...(addresses !== null && { allowedAddresses: addresses }),
  };
}

/** What of them is not in the row. A limit that stays keeps its budget as it is. */
export async function writeKeyLimits(
  tx: Db,
  { accountId, id }: Key,
  after: KeyLimits,
  before: KeyLimits = noLimits,
): Promise<void> {
  const ofKey = { kind: "key", subjectId: id } as const;
  const changed = budgetPeriods.filter(
    (period) => after.spendLimitNanos[period] !== before.spendLimitNanos[period],
  );
  const removed = changed.filter((period) => after.spendLimitNanos[period] === undefined);
  if (removed.length > 0) {
    await tx
      .delete(budgets)
      .where(
        and(
          eq(budgets.accountId, accountId),
          eq(budgets.kind, "key"),
          eq(budgets.subjectId, id),
          inArray(budgets.period, removed),
        ),
      );
  }
  for (const period of changed) {
    const limitNanos = after.spendLimitNanos[period];
    if (limitNanos !== undefined) {
      await writeBudget(tx, accountId, { ...ofKey, period, limitNanos });
    }
  }
  if (Bun.deepEquals(rulesOf(before), rulesOf(after))) return;
  await writeRules(tx, accountId, ofKey, rulesOf(after));
}

function rulesOf({ allowedModels, allowedAddresses }: KeyLimits) {
  return {
    allowedModels: allowedModels?.slice() ?? null,
    allowedAddresses: allowedAddresses?.slice() ?? null,
  };
}

function assertNotNegative(limits: Readonly<Record<string, number | bigint | undefined>>): void {
  for (const [param, limit] of Object.entries(limits)) {
    if (limit !== undefined && limit < 0) {
      throw new Fault("invalid_value", `The limit ${param} must not be negative.`, { param });
    }
  }
}
