// Read-only reports about an account, for its people in the console and its API keys on `/v1`, and about all of them, for
// operators.

export {
  type Close,
  type JournalLine,
  type Month,
  monthOf,
  readClose,
  readJournal,
} from "./all-accounts/read-journal.ts";
export {
  type MoneyGroup,
  type MoneyOrder,
  type MoneyQuery,
  type MoneyReport,
  type MoneyRow,
  moneyGroups,
  moneyOrders,
  readMoney,
} from "./all-accounts/read-money.ts";
export { bucketSizeOf, readBucketStarts, readPreviousRange } from "./bucket-starts.ts";
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
export { readUsageTable, type UsageTable } from "./explore/read-usage-table.ts";
export type { LogQuery } from "./log-query.ts";
export { type Planned, planUsage, type UsagePlan } from "./plan-usage.ts";
export { readCredits, readGeneration, readKeyUsage } from "./read-account.ts";
export { type AuditPage, type AuditQuery, type AuditRow, readAudit } from "./read-audit.ts";
export { type CostRow, readCosts } from "./read-costs.ts";
export { type KeyChange, readKeyChanges } from "./read-key-changes.ts";
export {
  type KeyError,
  type KeyReport,
  type KeyStatus,
  type PeriodSpend,
  readKey,
  readKeyErrors,
  readKeyNames,
  readKeys,
} from "./read-keys.ts";
export {
  type LedgerPage,
  type LedgerQuery,
  type LedgerRow,
  type PendingTopUp,
  readLedger,
  readPendingTopUps,
  type UsageLine,
} from "./read-ledger.ts";
export { type LogBar, readLogHistogram } from "./read-log-bars.ts";
export {
  countNewerLogs,
  type LogDetail,
  type LogPage,
  type LogRow,
  readLogDetail,
  readLogs,
} from "./read-logs.ts";
export {
  hasCreditSince,
  readSpend,
  readStartOfDay,
  readSteps,
  type SpendByPeriod,
  type Steps,
} from "./read-overview.ts";
export {
  listStatementMonths,
  readStatement,
  type Statement,
  type StatementPayment,
  type StatementUsage,
} from "./read-statement.ts";
export {
  hasRequests,
  readUsage,
  readUsageBreakdown,
  readUsageTotals,
  type UsageBreakdownRow,
  type UsageBucket,
  type UsageGroup,
  type UsageTotals,
  usageGroups,
} from "./read-usage.ts";
export {
  areOfCalls,
  isTimeDimension,
  planUsageGroups,
  readUsageGroups,
  type UsageDimension,
  type UsageGroupRow,
  type UsageGroupsQuery,
  usageDimensions,
} from "./read-usage-groups.ts";
export { readWallet, type Wallet } from "./read-wallet.ts";
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
  type ReadStatus,
  readStatus,
  type StatusDay,
  statusChannel,
} from "./status/read-status.ts";
export {
  type InstanceRow,
  type InstanceState,
  readInstances,
  readNewestFacts,
} from "./system/read-instances.ts";
export { type JobRow, type JobState, readJobs } from "./system/read-jobs.ts";
export {
  type DatabaseSize,
  type PartitionRow,
  readDatabaseSize,
  type TableRow,
} from "./system/read-tables.ts";
export { sumUsage, type UsageSums } from "./usage-sums.ts";
