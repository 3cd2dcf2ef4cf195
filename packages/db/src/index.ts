// PostgreSQL: connect, migrate, listen, and the tables.
export { allTables } from "./all-tables.ts";
export { arrayLiteral, elementsOf } from "./array-literal.ts";
export { checkSchema, mayMigrate, SchemaUnfit } from "./check-schema.ts";
export {
  abandonConnection,
  type Connection,
  type ConnectOptions,
  connectDatabase,
  type Db,
  errorCodeOf,
  isConnectionError,
  isLockConflict,
  isLockTimeout,
  markPooled,
  type Sql,
} from "./connect.ts";
export { connectForChecks } from "./connect-for-checks.ts";
export { deleteInSlices } from "./delete-in-slices.ts";
export { describeDatabaseFault } from "./describe-database-fault.ts";
export {
  type Distribution,
  distributedTables,
  distributeTables,
  NotDistributable,
} from "./distribute-tables.ts";
export { faultOfThrown } from "./fault-of-thrown.ts";
export { attemptsOf, foldAttempts } from "./fold-attempts.ts";
export { forgetCard } from "./forget-card.ts";
export { type Guard, guardTransactions } from "./guard-transactions.ts";
export { checkLedgerKey, createLedgerProver, type LedgerProver } from "./ledger-keys.ts";
export { migrate } from "./migrate.ts";
export { type Listener, openListener, type Subscriber } from "./open-listener.ts";
export { findUrlMistake } from "./parse-database-url.ts";
export { preparePartitions } from "./prepare-partitions.ts";
export { purgeAudit } from "./purge-audit.ts";
export { queueWebhook, sendToEndpoint, webhookAttemptsMax } from "./queue-webhook.ts";
export {
  type AuditActor,
  type AuditEntry,
  actorOf,
  operator,
  recordAudit,
} from "./record-audit.ts";
export { jobChannel, requestRun } from "./request-run.ts";
export {
  type AutoTopUpFailure,
  type AutoTopUpPause,
  type AutoTopUpState,
  accountMoney,
  accountNotes,
  accountSlugs,
  accounts,
  accountViews,
  apiKeys,
  appliedCatalogs,
  auditLog,
  auditRetentionDaysMin,
  autoTopUpFailures,
  autoTopUpPauses,
  autoTopUps,
  type Book,
  books,
  budgetMoney,
  budgets,
  type CompanyDetails,
  catalogTexts,
  devices,
  domains,
  emailTokens,
  entries,
  type FactorKind,
  factorChallenges,
  factorRecoveries,
  factors,
  firstTokenBoundsMs,
  guardrails,
  type InstanceFacts,
  type InstanceFeature,
  identities,
  incidents,
  incidentUpdates,
  instances,
  invitations,
  jobRuns,
  type KeyChangeColumns,
  keyChanges,
  keyLimits,
  keyMoney,
  leases,
  ledgerTransactions,
  managementKeys,
  memberships,
  type OperatorRole,
  operatorLog,
  operatorRoles,
  operators,
  outbox,
  type PersonEventKind,
  type PriceTerm,
  type PublicKey,
  personEvents,
  persons,
  prices,
  projects,
  providerAttempts,
  type Refusal,
  type RefusedBudget,
  type RefusedRule,
  type RequestAttempt,
  type RequestRow,
  type RequestState,
  rateColumns,
  recoveryCodes,
  requestStates,
  requests,
  retiredRequests,
  routeHealth,
  sessions,
  sharedConversations,
  signingKeys,
  statusDays,
  statusHistoryDays,
  storedPrompts,
  stripeInbox,
  switchedOff,
  type TopUpState,
  throttles,
  topUpStates,
  topUps,
  toRateRow,
  toRates,
  type UsageDetails,
  usageBlockMinutes,
  usageBlocks,
  usageOfRequests,
  usageProgress,
  usageQuarterHours,
  type WebhookDisabler,
  webhookAttempts,
  webhookEndpoints,
  webhookEvents,
  webhookMessages,
  writeProofs,
} from "./schema/index.ts";
export { MigrationRefused, schemaVersion } from "./schema-version.ts";
export {
  isWebhookEventType,
  type WebhookEvent,
  type WebhookEventType,
  webhookEventTypes,
} from "./webhook-event.ts";
