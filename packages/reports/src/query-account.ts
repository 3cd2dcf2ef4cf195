// What a key may read about its account: credits, its own usage, one generation. Rows of another
// account are reported as missing.
import {
  type AccountId,
  type ApiKeyId,
  chatIdOf,
  Fault,
  formatGenerationId,
  type GenerationId,
} from "@turnpike/base";
import {
  accountMoney,
  apiKeys,
  attemptsOf,
  type Db,
  keyLimits,
  keyMoney,
  requests,
} from "@turnpike/db";
import { type Nanos, toNanos } from "@turnpike/terms";
import type { CreditsView, GenerationView, KeyView } from "@turnpike/wire";
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { spendColumns } from "./query-keys.ts";

export async function queryCredits(db: Db, accountId: AccountId): Promise<CreditsView> {
  const [account] = await db
    .select({
      balanceNanos: accountMoney.balanceNanos,
      creditedNanos: accountMoney.creditedNanos,
      heldNanos: accountMoney.heldNanos,
    })
    .from(accountMoney)
    .where(eq(accountMoney.accountId, accountId));
  if (account === undefined) throw new Fault("invalid_api_key", "Incorrect API key provided.");
  const { balanceNanos, creditedNanos, heldNanos } = account;
  return { creditedNanos, spentNanos: toNanos(creditedNanos - balanceNanos), heldNanos };
}

const keyColumns = {
  name: apiKeys.name,
  masked: apiKeys.masked,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  requestsPerMinute: apiKeys.requestsPerMinute,
  ...spendColumns,
} as const;

/** Periods are those of the account's time zone: days, weeks from Monday, months. */
export async function queryKeyUsage(
  db: Db,
  owner: { readonly accountId: AccountId; readonly keyId: ApiKeyId | null },
): Promise<KeyView> {
  const [key] = await db
    .select(keyColumns)
    .from(apiKeys)
    .innerJoin(keyMoney, eq(keyMoney.keyId, apiKeys.id))
    .innerJoin(keyLimits, eq(keyLimits.keyId, apiKeys.id))
    .where(and(eq(apiKeys.accountId, owner.accountId), sql`${apiKeys.id} = ${owner.keyId}`));
  if (key === undefined) throw new Fault("invalid_api_key", "Incorrect API key provided.");
  const period = (spentNanos: Nanos, heldNanos: Nanos, limitNanos: Nanos | null) => ({
    spentNanos,
    heldNanos,
    limitNanos,
  });
  return {
    name: key.name,
    masked: key.masked,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
    requestsPerMinute: key.requestsPerMinute,
    day: period(key.daySpentNanos, key.dayHeldNanos, key.dayLimitNanos),
    week: period(key.weekSpentNanos, key.weekHeldNanos, key.weekLimitNanos),
    month: period(key.monthSpentNanos, key.monthHeldNanos, key.monthLimitNanos),
    total: period(key.totalSpentNanos, key.totalHeldNanos, key.totalLimitNanos),
  };
}

/** Undefined if the account has no such request. Readable as soon as the answer has ended. */
export async function queryGeneration(
  db: Db,
  accountId: AccountId,
  id: GenerationId,
): Promise<GenerationView | undefined> {
  const [row] = await db
    .select(getTableColumns(requests))
    .from(requests)
    .where(and(eq(requests.accountId, accountId), eq(requests.id, id)));
  if (row === undefined) return undefined;
  const { usageDetails, ...shown } = row;
  // The account must not see what it costs the operator; a refusal is no usage.
  const {
    serviceTier = null,
    operatorCostNanos: _,
    refusal: _refusal,
    ignored = [],
    markupBasisPoints = null,
    ...extras
  } = usageDetails ?? {};
  const cachedFrom = usageDetails?.cachedFrom;
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = row;
  return {
    ...shown,
    id: formatGenerationId(id),
    chatId: chatIdOf(id),
    createdAt: row.placedAt,
    cancelled: row.outcome === "client_closed",
    usage: {
      promptTokens,
      completionTokens,
      cachedTokens,
      cacheWriteTokens,
      reasoningTokens,
      ...extras,
    },
    serviceTier,
    ignored,
    markupBasisPoints,
    cachedFrom: cachedFrom === undefined ? null : formatGenerationId(cachedFrom),
    attempts: attemptsOf(row),
  };
}
