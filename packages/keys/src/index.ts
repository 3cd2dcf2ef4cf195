// API keys from creation to revocation, and the cache that authenticates callers from memory.

export {
  type ArchivedKeyFate,
  archivedKeyFates,
  archiveProject,
  createProject,
  listProjects,
  type Project,
  projectsMax,
  renameProject,
  requireProject,
  restoreProject,
} from "./account/project.ts";
export { setResponseStorage } from "./account/set-response-storage.ts";
export { resumeAccount, suspendAccount } from "./account/suspend-account.ts";
export {
  apiKeyPattern,
  hashApiKey,
  isApiKeyText,
  makeApiKeyText,
  maskApiKey,
} from "./api-key/api-key-format.ts";
export {
  endPreviousSecret,
  type KeyEditor,
  type KeyOwner,
  moveApiKey,
  rotateApiKey,
  setApiKeyDisabled,
  updateApiKey,
} from "./api-key/change-api-key.ts";
export { type ListedApiKey, listApiKeys } from "./api-key/list-api-keys.ts";
export { liveKeysMax, type MintedApiKey, mintApiKey } from "./api-key/mint-api-key.ts";
export { revokeApiKey, revokeKeysOfAccount, revokeKeysOfPerson } from "./api-key/revoke-api-key.ts";
export { handOverKeys, revokeAccountKeys, revokeMemberKeys } from "./api-key/settle-member-keys.ts";
export {
  type ApiKeyCache,
  type ApiKeyCacheOptions,
  type AuthenticatedKey,
  openApiKeyCache,
} from "./cache/api-key-cache.ts";
export type { PromptStorage } from "./cache/load-keys.ts";
export { notifyKeyChange } from "./changes/notify-key-change.ts";
export type { WatchMode, WatchTimes } from "./changes/watch-key-changes.ts";
export {
  clockText,
  compileGuardrails,
  type Guardrails,
  type RuleOwner,
} from "./guardrails/compile-guardrails.ts";
export {
  type BrokenRule,
  brokenRuleOf,
  describeRule,
  guardrailFault,
  nameOwner,
  type RuleName,
  requireAllowedAddress,
  requireAllowedHours,
  requireAllowedModel,
} from "./guardrails/guardrail-fault.ts";
export type { AllowedHours, GuardrailRules } from "./guardrails/guardrail-rules.ts";
export { type Guardrail, listGuardrails } from "./guardrails/list-guardrails.ts";
export { queryGuardrails } from "./guardrails/load-guardrails.ts";
export {
  type GuardrailEditor,
  removeGuardrail,
  setGuardrail,
} from "./guardrails/set-guardrail.ts";
export { findKeyTexts, isKeyText } from "./leak/find-key-texts.ts";
export { type LeakOptions, type LeakReport, reportLeakedKeys } from "./leak/report-leaked-key.ts";
export {
  type KeyLimits,
  noLimits,
  type RateLimits,
  type SharedLimits,
} from "./limits/key-limits.ts";
export {
  describePriceTerm,
  isInForce,
  markupOf,
  priceTermMax,
} from "./limits/price-terms.ts";
export {
  queryAccountRates,
  queryKeylessLimits,
  setAccountRates,
  setProjectRates,
  touchKeys,
} from "./limits/shared-limits.ts";
export { queryKeyLimits } from "./limits/store-key-limits.ts";
export { type BudgetInput, writeBudget } from "./limits/write-budget.ts";
