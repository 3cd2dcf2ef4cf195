// Database values as the console gets them: amounts as exact decimal strings in USD, times as ISO
// 8601, and nothing that JSON would distort.

import { type Membership, permissionsOf } from "@turnpike/accounts";
import { formatGenerationId } from "@turnpike/base";
import type { AutoTopUp, TopUp } from "@turnpike/billing";
import { describePriceTerm, isInForce } from "@turnpike/keys";
import type {
  KeyReport,
  LedgerRow,
  LogRow,
  PendingTopUp,
  PeriodSpend,
  UsageLine,
  UsageSums,
  UsageTotals,
  Wallet,
} from "@turnpike/reports";
import { formatUsd, type Nanos, toNanos } from "@turnpike/terms";

/** With what the role allows, so that the console shows only what works. */
export function presentAccount(membership: Membership) {
  const { id, kind, slug, name, role, factorsRequiredFrom: from } = membership;
  const factorsRequiredFrom = from ? new Date(from).toISOString() : null;
  const permissions = permissionsOf(role);
  return { id, kind, slug, name, role, factorsRequiredFrom, permissions, view: viewOf(membership) };
}

/** Null for members. */
function viewOf({ viewId: id, viewUntil: until }: Membership) {
  return id === undefined || until === undefined
    ? null
    : { id, until: new Date(until).toISOString() };
}

export function presentWallet(wallet: Wallet) {
  return {
    balanceUsd: formatUsd(wallet.balanceNanos),
    heldUsd: formatUsd(wallet.heldNanos),
    creditLimitUsd: formatUsd(wallet.creditLimitNanos),
    agreedPrices: wallet.priceTerms.filter((term) => isInForce(term)).map(describePriceTerm),
    spendableUsd: formatUsd(toNanos(wallet.balanceNanos + wallet.creditLimitNanos)),
    frozen: wallet.frozen,
    runwayDays: wallet.runwayDays,
    lowBalanceAlertUsd: orNull(wallet.lowBalanceAlertNanos, formatUsd),
    funded: wallet.funded,
  };
}

export function presentKey(key: KeyReport) {
  const { spend } = key;
  return {
    id: key.id,
    name: key.name,
    projectId: key.projectId,
    masked: key.masked,
    status: key.status,
    createdAt: key.createdAt.toISOString(),
    changedAt: orNull(key.changedAt, toIso),
    createdBy: key.createdBy,
    lastUsedAt: orNull(key.lastUsedAt, toIso),
    expiresAt: orNull(key.expiresAt, toIso),
    previousUntil: orNull(key.previousUntil, toIso),
    limits: {
      spendLimitsUsd: {
        day: orNull(spend.day.limitNanos, formatUsd),
        week: orNull(spend.week.limitNanos, formatUsd),
        month: orNull(spend.month.limitNanos, formatUsd),
        total: orNull(spend.total.limitNanos, formatUsd),
      },
      requestsPerMinute: key.requestsPerMinute,
      tokensPerMinute: key.tokensPerMinute,
      concurrency: key.concurrency,
      allowedModels: key.allowedModels,
      allowedAddresses: key.allowedAddresses,
      expiresAt: orNull(key.expiresAt, toIso),
    },
    spend: {
      day: presentPeriod(spend.day),
      week: presentPeriod(spend.week),
      month: presentPeriod(spend.month),
      total: presentPeriod(spend.total),
    },
  };
}

function presentPeriod(period: PeriodSpend) {
  return {
    spentUsd: formatUsd(period.spentNanos),
    heldUsd: formatUsd(period.heldNanos),
    limitUsd: orNull(period.limitNanos, formatUsd),
    resetsAt: orNull(period.resetsAt, toIso),
  };
}

export function presentSums(sums: UsageSums) {
  return {
    costUsd: formatUsd(sums.costNanos),
    requests: sums.requests,
    promptTokens: sums.promptTokens,
    completionTokens: sums.completionTokens,
    cachedTokens: sums.cachedTokens,
    units: sums.units,
  };
}

export function presentTotals(totals: UsageTotals) {
  return {
    ...presentSums(totals),
    errorRate: totals.errorRate,
    p50Ms: totals.p50Ms,
    p95Ms: totals.p95Ms,
    firstTokenP50Ms: totals.firstTokenP50Ms,
  };
}

export function presentLogRow(row: LogRow) {
  return {
    id: formatGenerationId(row.id),
    at: row.at.toISOString(),
    status: row.status,
    outcome: row.outcome,
    errorCode: row.errorCode,
    model: row.model,
    provider: row.provider,
    keyId: row.keyId,
    keyName: row.keyName,
    app: row.app,
    user: row.endUser,
    origin: row.origin,
    operation: row.operation,
    promptTokens: row.promptTokens,
    completionTokens: row.completionTokens,
    cached: row.cachedTokens > 0,
    costUsd: formatUsd(row.chargedNanos),
    firstTokenMs: row.firstByteMs,
    totalMs: row.totalMs,
    streamed: row.streamed,
    /** The call that was charged for this answer; null where it came from a provider. */
    cachedFrom: orNull(row.cachedFrom, formatGenerationId),
  };
}

/** One key's calls of one hour. */
type PresentedUsage = Pick<UsageLine, "keyId" | "keyName" | "calls" | "open"> & {
  readonly from: string;
  readonly to: string;
};

type PresentedLedgerRow = Pick<LedgerRow, "id" | "day" | "type" | "topUpId" | "receiptUrl"> & {
  readonly at: string;
  /** Null for everything else; `keyId` is null for the playground. */
  readonly usage: PresentedUsage | null;
  readonly description: string;
  /** Signed. */
  readonly amountUsd: string;
  /** Null while it is pending. */
  readonly balanceAfterUsd: string | null;
  readonly pending: boolean;
};

export function presentLedgerRow(row: LedgerRow): PresentedLedgerRow {
  return {
    id: row.id,
    at: row.at.toISOString(),
    day: row.day,
    usage: orNull(row.usage, presentUsage),
    type: row.type,
    description: row.reason,
    amountUsd: formatUsd(row.amountNanos),
    balanceAfterUsd: formatUsd(row.balanceAfterNanos),
    topUpId: row.topUpId,
    receiptUrl: row.receiptUrl,
    pending: false,
  };
}

function presentUsage({ hour, ...line }: UsageLine): PresentedUsage {
  return { ...line, from: toIso(hour), to: toIso(endOfHour(hour)) };
}

const hourMs = 3_600_000;

export function endOfHour(hour: Date): Date {
  return new Date(hour.getTime() + hourMs);
}

/** A line of the ledger that no balance counts yet. */
export function presentPendingTopUp(topUp: PendingTopUp): PresentedLedgerRow {
  return {
    id: `pending-${topUp.id}`,
    at: topUp.createdAt.toISOString(),
    day: null,
    usage: null,
    type: "top_up",
    description: "",
    amountUsd: formatUsd(topUp.amountNanos),
    balanceAfterUsd: null,
    topUpId: topUp.id,
    receiptUrl: null,
    pending: true,
  };
}

export function presentTopUp(topUp: TopUp) {
  return {
    id: topUp.id,
    state: topUp.state,
    amountUsd: formatUsd(topUp.amountNanos),
    creditedUsd: formatUsd(topUp.creditedNanos),
    receiptUrl: topUp.receiptUrl,
    failureReason: topUp.failureReason,
    createdAt: topUp.createdAt.toISOString(),
  };
}

export function presentAutoTopUp(of: AutoTopUp) {
  const usd = (nanos: Nanos | null) => (nanos === null ? null : formatUsd(nanos));
  return {
    enabled: of.enabled,
    thresholdUsd: usd(of.thresholdNanos),
    amountUsd: usd(of.amountNanos),
    ceilingUsd: usd(of.ceilingNanos),
    card: of.card,
    state: of.state,
    lastFailure: of.lastFailure,
  };
}

export function toIso(at: Date): string {
  return at.toISOString();
}

export function orNull<Value, Shown>(
  value: Value | null,
  show: (value: Value) => Shown,
): Shown | null {
  return value === null ? null : show(value);
}
