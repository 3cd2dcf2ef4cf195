// Read-only reports about an account, for its people in the console and its API keys on `/v1`, and about all of them, for
// operators.

export {
  type Close,
  type JournalLine,
  type Month,
  monthOf,
  queryClose,
  queryJournal,
} from "./all-accounts/query-journal.ts";
export {
  type MoneyGroup,
  type MoneyOrder,
  type MoneyQuery,
  type MoneyReport,
  type MoneyRow,
  moneyGroups,
  moneyOrders,
  queryMoney,
} from "./all-accounts/query-money.ts";
export { bucketSizeOf, queryBucketStarts, queryPreviousRange } from "./bucket-starts.ts";
export { type CostLine, costLinesOf } from "./cost-lines.ts";
export { findUnusual, usualOf } from "./explore/find-unusual.ts";
export { forecastMonth } from "./explore/forecast-month.ts";
export {
  type Amounts,
  addAmounts,
  isSum,
  type Measure,
  measureOf,
  measures,
  noAmounts,
} from "./explore/measure.ts";
export { queryUsageTable, type UsageTable } from "./explore/query-usage-table.ts";
export type { LogQuery } from "./log-query.ts";
export { type Planned, planUsage, type UsagePlan } from "./plan-usage.ts";
export { queryCredits, queryGeneration, queryKeyUsage } from "./query-account.ts";
export { type AuditPage, type AuditQuery, type AuditRow, queryAudit } from "./query-audit.ts";
export { type CostRow, queryCosts } from "./query-costs.ts";
export { type KeyChange, queryKeyChanges } from "./query-key-changes.ts";
export {
  type KeyError,
  type KeyReport,
  type KeyStatus,
  type PeriodSpend,
  queryKey,
  queryKeyErrors,
  queryKeyNames,
  queryKeys,
} from "./query-keys.ts";
export {
  type LedgerPage,
  type LedgerQuery,
  type LedgerRow,
  type PendingTopUp,
  queryLedger,
  queryPendingTopUps,
  type UsageLine,
} from "./query-ledger.ts";
export { type LogBar, queryLogHistogram } from "./query-log-bars.ts";
export {
  countNewerLogs,
  type LogDetail,
  type LogPage,
  type LogRow,
  queryLogDetail,
  queryLogs,
} from "./query-logs.ts";
export {
  hasCreditSince,
  querySpend,
  queryStartOfDay,
  querySteps,
  type SpendByPeriod,
  type Steps,
} from "./query-overview.ts";
export {
  listStatementMonths,
  queryStatement,
  type Statement,
  type StatementPayment,
  type StatementUsage,
} from "./query-statement.ts";
export {
  hasRequests,
  queryUsage,
  queryUsageBreakdown,
  queryUsageTotals,
  type UsageBreakdownRow,
  type UsageBucket,
  type UsageGroup,
  type UsageTotals,
  usageGroups,
} from "./query-usage.ts";
export {
  areOfCalls,
  isTimeDimension,
  planUsageGroups,
  queryUsageGroups,
  type UsageDimension,
  type UsageGroupRow,
  type UsageGroupsQuery,
  usageDimensions,
} from "./query-usage-groups.ts";
export { queryWallet, type Wallet } from "./query-wallet.ts";
export { type RolledUp, rollUpUsage } from "./roll-up-usage.ts";
export type {
  ReportScope,
  ZonedUsageQuery,
} from "./select-requests.ts";
export {
  type FiguresBook,
  type FiguresInForce,
  noFigures,
  type RouteFigures,
  shareOf,
} from "./status/model-figures.ts";
export {
  type Incident,
  incidentColumns,
  queryStatus,
  type ReadStatus,
  type StatusDay,
  statusChannel,
} from "./status/query-status.ts";
export {
  type InstanceRow,
  type InstanceState,
  queryInstances,
  queryNewestFacts,
} from "./system/query-instances.ts";
export { type JobRow, type JobState, queryJobs } from "./system/query-jobs.ts";
export {
  type DatabaseSize,
  type PartitionRow,
  queryDatabaseSize,
  type TableRow,
} from "./system/query-tables.ts";
export { sumUsage, type UsageSums } from "./usage-sums.ts";
