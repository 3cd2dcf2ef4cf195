// How people sign in: registration, sessions, passwords, second factors, providers, links sent by mail, throttles.
export { type Auth, type AuthOptions, type Caller, openAuth } from "./auth.ts";
export { confirmEmailChange } from "./email-link/confirm-email-change.ts";
export { tokenLifetimesMs } from "./email-link/email-token.ts";
export { requestEmailChange } from "./email-link/request-email-change.ts";
export { resendVerification } from "./email-link/resend-verification.ts";
export { type RevokeSince, undoChange } from "./email-link/undo-change.ts";
export {
  type Verified,
  verifyEmail,
  verifyHere,
  verifyWithNewPassword,
} from "./email-link/verify-email.ts";
export { removeFactor, renameFactor, renewRecoveryCodes } from "./factor/change-factors.ts";
export type { FactorMethod, FactorProof } from "./factor/check-factor.ts";
export { addPasskey, beginPasskey } from "./factor/enroll-passkey.ts";
export { type BegunTotp, beginTotp, confirmTotp } from "./factor/enroll-totp.ts";
export { type FactorOverview, listFactors } from "./factor/list-factors.ts";
export {
  announceRecoveries,
  cancelRecovery,
  cancelRecoveryOf,
  finishRecovery,
  requestRecovery,
} from "./factor/recover-factors.ts";
export { requireFactor, requireFactors } from "./factor/require-factors.ts";
export { askOwnPasskey, askPasskey } from "./factor/use-passkey.ts";
export { changePassword } from "./password/change-password.ts";
export { passwordCharsMax } from "./password/check-password.ts";
export { confirmPassword, type SessionOwner } from "./password/confirm-password.ts";
export {
  openPasswordHasher,
  type PasswordCost,
  type PasswordHasher,
} from "./password/password-hasher.ts";
export { requestPasswordReset } from "./password/request-password-reset.ts";
export { resetPassword } from "./password/reset-password.ts";
export {
  cancelDeletion,
  deleteDuePersons,
  queryDeletion,
  type RevokeKeysOf,
  requestDeletion,
} from "./person/delete-person.ts";
export {
  cancelDeletionAs,
  endSessionsAs,
  requestDeletionAs,
  resendVerificationAs,
  sendResetAs,
} from "./person/operate-on-person.ts";
export { listPersonEvents, recordPersonEvent } from "./person/person-event.ts";
export { deleteUnverified, purgeSignIn } from "./person/purge-sign-in.ts";
export { beginInvitedPasskey, registerInvited } from "./person/register-invited.ts";
export { registerPerson } from "./person/register-person.ts";
export { type Finished, finishAtProvider } from "./provider/finish-at-provider.ts";
export { type ListedIdentity, listIdentities, unlinkIdentity } from "./provider/identities.ts";
export type { ProviderSettings } from "./provider/provider.ts";
export { setRequiredProvider } from "./provider/required-provider.ts";
export { startAtProvider } from "./provider/start-at-provider.ts";
export { authenticateSession, requireSession } from "./session/authenticate-session.ts";
export { endAllSessions, endOtherSessions, endSession, logOut } from "./session/end-session.ts";
export { type FindPlace, openPlaces } from "./session/find-place.ts";
export { type ListedSession, listSessions } from "./session/list-sessions.ts";
export { logIn } from "./session/log-in.ts";
export { type FactorSignIn, logInWithFactor } from "./session/log-in-with-factor.ts";
export { logInWithPasskey } from "./session/log-in-with-passkey.ts";
export type { SignedIn } from "./session/open-session.ts";
export { type AuthenticatedSession, parseCookie, type Sessions } from "./session/session.ts";
export { type Proof, requireRecentProof, stepUp } from "./session/step-up.ts";
export { scaleThrottles, type ThrottleLimits, throttleLimits } from "./throttle/throttle-limits.ts";
export { requestUnlock, unlockBrowser } from "./throttle/unlock-browser.ts";
