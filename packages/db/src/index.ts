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
  isConnectionError,
  markPooled,
  readErrorCode,
  type Sql,
} from "./connect.ts";
export { describeDatabaseFault } from "./describe-database-fault.ts";
export { faultOfThrown } from "./fault-of-thrown.ts";
export { migrate } from "./migrate.ts";
export { type Listener, openListener, type Subscriber } from "./open-listener.ts";
export { preparePartitions } from "./prepare-partitions.ts";
export { purgeAudit } from "./purge-audit.ts";
export { queueWebhook, sendToEndpoint, webhookAttemptsMax } from "./queue-webhook.ts";
export { findUrlMistake } from "./read-database-url.ts";
export {
  type AuditActor,
  type AuditEntry,
  actorOf,
  operator,
  recordAudit,
} from "./record-audit.ts";
export {
  accountMoney,
  accountSlugs,
  accounts,
  apiKeys,
  appliedCatalogs,
  auditLog,
  auditRetentionDaysMin,
  type Book,
  type BudgetKind,
  type BudgetPeriod,
  books,
  budgetKinds,
  budgetMoney,
  budgetPeriods,
  budgets,
  devices,
  domains,
  emailTokens,
  entries,
  type FactorKind,
  factorChallenges,
  factorRecoveries,
  factors,
  identities,
  instances,
  invitations,
  jobRuns,
  type KeyChangeColumns,
  keyChanges,
  keyMoney,
  leases,
  ledgerTransactions,
  managementKeys,
  memberships,
  outbox,
  type PersonEventKind,
  type PublicKey,
  personEvents,
  persons,
  prices,
  projects,
  providerAttempts,
  type Refusal,
  type RefusedBudget,
  type RequestAttempt,
  type RequestOperation,
  type RequestState,
  type Role,
  rateColumns,
  recoveryCodes,
  requestOperations,
  requestStates,
  requests,
  roles,
  routeHealth,
  sessions,
  signingKeys,
  storedPrompts,
  stripeInbox,
  type TopUpState,
  throttles,
  topUpStates,
  topUps,
  type UsageDetails,
  type WebhookDisabler,
  type WebhookMessageState,
  webhookAttempts,
  webhookEndpoints,
  webhookEvents,
  webhookMessages,
} from "./schema/index.ts";
export { MigrationRefused, schemaVersion } from "./schema-version.ts";
export {
  isWebhookEventType,
  type WebhookEvent,
  type WebhookEventType,
  webhookEventTypes,
} from "./webhook-event.ts";
