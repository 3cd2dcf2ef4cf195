// The front door: accounts' people, and API keys from mint to revocation.
export { apiKeyPattern, hashApiKey, isApiKeyText, maskApiKey } from "./api-key-format.ts";
export {
  endPreviousSecret,
  type KeyOwner,
  rotateApiKey,
  setApiKeyDisabled,
  updateApiKey,
} from "./change-api-key.ts";
export { type CreatedAccount, createAccount, readEmail } from "./create-account.ts";
export { type FoundAccount, findAccount } from "./find-account.ts";
export { type KeyLimits, noLimits, type SpendPeriod } from "./key-limits.ts";
export { type IdentifiedKey, type Keyring, type KeyringOptions, openKeyring } from "./keyring.ts";
export { type ListedApiKey, listApiKeys } from "./list-api-keys.ts";
export { type MintedApiKey, mintApiKey } from "./mint-api-key.ts";
export { readBearer } from "./read-bearer.ts";
export { revokeApiKey } from "./revoke-api-key.ts";
export { resumeAccount, suspendAccount } from "./suspend-account.ts";
export type { WatchMode, WatchTimes } from "./watch-key-changes.ts";
