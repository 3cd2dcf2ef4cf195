// Every table, for queries and for drizzle-kit.
export { apiKeys } from "./api-keys.ts";
export { auditLog } from "./audit-log.ts";
export {
  type BatchError,
  type BatchForm,
  type BatchState,
  type BatchUsage,
  batches,
  batchLines,
  batchStates,
  type LineState,
} from "./batches.ts";
export { bookChecks } from "./book-checks.ts";
export { budgets } from "./budgets.ts";
export { catalogTexts } from "./catalog-texts.ts";
export { domains } from "./domains.ts";
export {
  type FactorKind,
  factorChallenges,
  factorRecoveries,
  factors,
  recoveryCodes,
} from "./factors.ts";
export { guardrails } from "./guardrails.ts";
export { identities, providerAttempts } from "./identities.ts";
export { appliedCatalogs, jobRuns } from "./jobs.ts";
export { type KeyChangeColumns, keyChanges } from "./key-changes.ts";
export { keyLimits } from "./key-limits.ts";
export { leases } from "./leases.ts";
export {
  type Book,
  books,
  entries,
  type InstanceFacts,
  type InstanceFeature,
  instances,
  ledgerKeys,
  ledgerTransactions,
  schemaState,
  writeProofs,
} from "./ledger.ts";
export { outbox } from "./mail.ts";
export { managementKeys } from "./management-keys.ts";
export { accountMoney, budgetMoney, keyMoney } from "./money-views.ts";
export { type ObjectKind, objects } from "./objects.ts";
export {
  accountNotes,
  accountViews,
  type OperatorRole,
  operatorLog,
  operatorRoles,
  operators,
} from "./operators.ts";
export {
  accountSlugs,
  accounts,
  auditRetentionDaysMin,
  type CompanyDetails,
  invitations,
  memberships,
  type PriceTerm,
  persons,
} from "./people.ts";
export { type PersonEventKind, personEvents } from "./person-events.ts";
export { prices, rateColumns, toRateRow, toRates } from "./prices.ts";
export { projects } from "./projects.ts";
export { rateBuckets } from "./rate-buckets.ts";
export {
  type Refusal,
  type RefusedBudget,
  type RefusedRule,
  type RequestAttempt,
  type RequestRow,
  type RequestState,
  requestStates,
  requests,
  type UsageDetails,
} from "./requests.ts";
export { retiredRequests } from "./retired-requests.ts";
export { routeHealth } from "./route-health.ts";
export { type RunKind, type RunState, runEvents, runKinds, runs } from "./runs.ts";
export { devices, emailTokens, sessions, throttles } from "./sessions.ts";
export { sharedConversations } from "./shared-conversations.ts";
export { type PublicKey, signingKeys } from "./signing-keys.ts";
export {
  firstTokenBoundsMs,
  incidents,
  incidentUpdates,
  statusDays,
  statusHistoryDays,
} from "./status.ts";
export { storedAnswers } from "./stored-answers.ts";
export { storedPrompts } from "./stored-prompts.ts";
export { switchedOff } from "./switched-off.ts";
export {
  type AutoTopUpFailure,
  type AutoTopUpPause,
  type AutoTopUpState,
  autoTopUpFailures,
  autoTopUpPauses,
  autoTopUps,
  stripeInbox,
  type TopUpState,
  topUpStates,
  topUps,
} from "./top-ups.ts";
export {
  usageBlockMinutes,
  usageBlocks,
  usageChanges,
  usageOfRequests,
  usageProgress,
  usageQuarterHours,
} from "./usage.ts";
export {
  type WebhookDisabler,
  webhookAttempts,
  webhookEndpoints,
  webhookEvents,
  webhookMessages,
} from "./webhooks.ts";
