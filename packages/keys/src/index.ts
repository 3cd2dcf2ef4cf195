// API keys from creation to revocation, and the cache that authenticates callers from memory.
export {
  type ApiKeyCache,
  type ApiKeyCacheOptions,
  type AuthenticatedKey,
  openApiKeyCache,
} from "./api-key-cache.ts";
export {
  apiKeyPattern,
  hashApiKey,
  isApiKeyText,
  makeApiKeyText,
  maskApiKey,
} from "./api-key-format.ts";
export {
  endPreviousSecret,
  type KeyEditor,
  type KeyOwner,
  moveApiKey,
  rotateApiKey,
  setApiKeyDisabled,
  updateApiKey,
} from "./change-api-key.ts";
export {
  clockText,
  compileGuardrails,
  type Guardrails,
  type RuleOwner,
} from "./guardrails/compile-guardrails.ts";
export type { AllowedHours, GuardrailRules } from "./guardrails/guardrail-rules.ts";
export { type Guardrail, listGuardrails } from "./guardrails/list-guardrails.ts";
export { readGuardrails } from "./guardrails/load-guardrails.ts";
export {
  type BrokenRule,
  brokenRuleOf,
  describeRule,
  nameOwner,
  type RuleName,
  refuseByGuardrail,
  requireAllowedAddress,
  requireAllowedHours,
  requireAllowedModel,
} from "./guardrails/refuse-by-guardrail.ts";
export {
  type GuardrailEditor,
  removeGuardrail,
  setGuardrail,
} from "./guardrails/set-guardrail.ts";
export {
  type KeyLimits,
  noLimits,
  type RateLimits,
  type SharedLimits,
} from "./key-limits.ts";
export { findKeyTexts, isKeyText } from "./leak/find-key-texts.ts";
export { type LeakOptions, type LeakReport, reportLeakedKeys } from "./leak/report-leaked-key.ts";
export { type ListedApiKey, listApiKeys } from "./list-api-keys.ts";
export type { PromptStorage } from "./load-keys.ts";
export { liveKeysMax, type MintedApiKey, mintApiKey } from "./mint-api-key.ts";
export { notifyKeyChange } from "./notify-key-change.ts";
export {
  describePriceTerm,
  isInForce,
  markupOf,
  priceTermMax,
} from "./price-terms.ts";
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
} from "./project.ts";
export { revokeApiKey, revokeKeysOfAccount, revokeKeysOfPerson } from "./revoke-api-key.ts";
export { handOverKeys, revokeAccountKeys, revokeMemberKeys } from "./settle-member-keys.ts";
export {
  readAccountRates,
  readKeylessLimits,
  setAccountRates,
  setProjectRates,
  touchKeys,
} from "./shared-limits.ts";
export { resumeAccount, suspendAccount } from "./suspend-account.ts";
export type { WatchMode, WatchTimes } from "./watch-key-changes.ts";
export { type BudgetInput, writeBudget } from "./write-budget.ts";
