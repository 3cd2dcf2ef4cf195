// The front door: accounts' people, and API keys from mint to revocation.
export {
  apiKeyPattern,
  hashApiKey,
  isApiKeyText,
  makeApiKeyText,
  maskApiKey,
} from "./api-key-format.ts";
export { type Auth, type AuthOptions, type Caller, openAuth } from "./auth.ts";
export {
  endPreviousSecret,
  type KeyOwner,
  rotateApiKey,
  setApiKeyDisabled,
  updateApiKey,
} from "./change-api-key.ts";
export { changePassword } from "./change-password.ts";
export { passwordCharsMax } from "./check-password.ts";
export { confirmEmailChange } from "./confirm-email-change.ts";
export { confirmPassword } from "./confirm-password.ts";
export { type CreatedAccount, createAccount, readEmail } from "./create-account.ts";
export { createApiKey } from "./create-api-key.ts";
export { deleteUnverified } from "./delete-unverified.ts";
export { undoChange } from "./email-link/undo-change.ts";
export { tokenLifetimesMs } from "./email-token.ts";
export { endOtherSessions, endSession } from "./end-session.ts";
export { type FoundAccount, findAccount } from "./find-account.ts";
export { identifySession, requireSession } from "./identify-session.ts";
export { type KeyLimits, noLimits, type SpendPeriod } from "./key-limits.ts";
export { type IdentifiedKey, type Keyring, type KeyringOptions, openKeyring } from "./keyring.ts";
export { type ListedApiKey, listApiKeys } from "./list-api-keys.ts";
export { type ListedSession, listSessions } from "./list-sessions.ts";
export { logIn, type SignedIn } from "./log-in.ts";
export { logOut } from "./log-out.ts";
export { type MintedApiKey, mintApiKey } from "./mint-api-key.ts";
export { openPasswordHasher, type PasswordHasher } from "./password-hasher.ts";
export { purgeSignIn } from "./purge-sign-in.ts";
export { readBearer } from "./read-bearer.ts";
export { registerPerson } from "./register-person.ts";
export { requestEmailChange } from "./request-email-change.ts";
export { requestPasswordReset } from "./request-password-reset.ts";
export { resendVerification } from "./resend-verification.ts";
export { resetPassword } from "./reset-password.ts";
export { revokeApiKey } from "./revoke-api-key.ts";
export { type Proof, requireRecentProof, stepUp } from "./session/step-up.ts";
export type { IdentifiedSession, Sessions } from "./session.ts";
export { setLowBalanceAlert } from "./set-low-balance-alert.ts";
export { resumeAccount, suspendAccount } from "./suspend-account.ts";
export { requestUnlock, unlockBrowser } from "./throttle/unlock-browser.ts";
export { type Limit, throttle } from "./throttle.ts";
export { scaleThrottles, type ThrottleLimits, throttleLimits } from "./throttle-limits.ts";
export { updateProfile } from "./update-profile.ts";
export { type Verified, verifyEmail, verifyWithNewPassword } from "./verify-email.ts";
export type { WatchMode, WatchTimes } from "./watch-key-changes.ts";
