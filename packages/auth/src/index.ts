// People and their accounts: registration, sessions, passwords, links sent by mail, throttles.
export { acceptInvitation, confirmClaim } from "./account/accept-invitation.ts";
export { accountPath, readAccountPath } from "./account/account-path.ts";
export {
  endView,
  listViews,
  refuseInView,
  startView,
  viewMinutes,
} from "./account/account-view.ts";
export { type ActingOperator, auditActorOf, type Member } from "./account/actor.ts";
export { readAuditRetention, setAuditRetention } from "./account/audit-retention.ts";
export {
  changeRole,
  type KeyFate,
  keyFates,
  type ListedMember,
  leaveAccount,
  listMembers,
  removeMember,
} from "./account/change-members.ts";
export { closeAccount } from "./account/close-account.ts";
export { holdMembership, refuseChangedRole } from "./account/hold-membership.ts";
export {
  inviteMember,
  type ListedInvitation,
  listInvitations,
  openInvitationsMax,
  resendInvitation,
  revokeInvitation,
} from "./account/invitation.ts";
export { findKeyHolder } from "./account/key-holder.ts";
export { revokesLeakedKeys, setRevokesLeakedKeys } from "./account/leaked-keys.ts";
export { setMemberProjects } from "./account/member-projects.ts";
export {
  chooseAccount,
  type Membership,
  projectScopeOf,
  requireAccount,
} from "./account/membership.ts";
export { answerOwnership, offerOwnership, withdrawOwnership } from "./account/offer-ownership.ts";
export { listOwnInvitations, readInvitation } from "./account/open-invitation.ts";
export { changeAccount, createOrganization } from "./account/organization.ts";
export {
  type Permission,
  permissions,
  permissionsOf,
  requirePermission,
  rolesWith,
  type Scope,
  scopeOf,
} from "./account/permissions.ts";
export { beginInvitedPasskey, registerInvited } from "./account/register-invited.ts";
export { requireFactor, requireFactors } from "./account/require-factors.ts";
export { type Auth, type AuthOptions, type Caller, openAuth } from "./auth.ts";
export { addDomain, type ListedDomain, listDomains, removeDomain } from "./domain/domain.ts";
export { proveDomain, proveDomainAsOperator, releaseDomain } from "./domain/prove-domain.ts";
export { setRequiredProvider } from "./domain/required-provider.ts";
export { openResolver } from "./domain/resolve-txt.ts";
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
export { askOwnPasskey, askPasskey } from "./factor/use-passkey.ts";
export {
  type AuthenticatedManagementKey,
  authenticateManagementKey,
  requireKeyPermission,
} from "./management/authenticate-management-key.ts";
export { isManagementKeyText, managementKeyPattern } from "./management/management-key-text.ts";
export {
  createManagementKey,
  grantablePermissions,
  type ListedManagementKey,
  listManagementKeys,
  revokeManagementKey,
  revokeManagementKeysOfPerson,
} from "./management/management-keys.ts";
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
export { type CreatedAccount, createAccount } from "./person/create-account.ts";
export {
  cancelDeletion,
  deleteDuePersons,
  type RevokeKeysOf,
  readDeletion,
  requestDeletion,
} from "./person/delete-person.ts";
export { type FoundAccount, findAccount } from "./person/find-account.ts";
export { holdSession } from "./person/hold-person.ts";
export {
  cancelDeletionAs,
  endSessionsAs,
  requestDeletionAs,
  resendVerificationAs,
  sendResetAs,
} from "./person/operate-on-person.ts";
export { listPersonEvents, recordPersonEvent } from "./person/person-event.ts";
export { deleteUnverified, purgeSignIn } from "./person/purge-sign-in.ts";
export { parseEmail, readEmail } from "./person/read-email.ts";
export { registerPerson } from "./person/register-person.ts";
export { updateProfile } from "./person/update-profile.ts";
export { type Finished, finishAtProvider } from "./provider/finish-at-provider.ts";
export { type ListedIdentity, listIdentities, unlinkIdentity } from "./provider/identities.ts";
export type { ProviderSettings } from "./provider/provider.ts";
export { startAtProvider } from "./provider/start-at-provider.ts";
export { authenticateSession, requireSession } from "./session/authenticate-session.ts";
export { endAllSessions, endOtherSessions, endSession, logOut } from "./session/end-session.ts";
export { type FindPlace, openPlaces } from "./session/find-place.ts";
export { type ListedSession, listSessions } from "./session/list-sessions.ts";
export { logIn } from "./session/log-in.ts";
export { type FactorSignIn, logInWithFactor } from "./session/log-in-with-factor.ts";
export { logInWithPasskey } from "./session/log-in-with-passkey.ts";
export type { SignedIn } from "./session/open-session.ts";
export { type AuthenticatedSession, readCookie, type Sessions } from "./session/session.ts";
export { type Proof, requireRecentProof, stepUp } from "./session/step-up.ts";
export { limitKeyCreation } from "./throttle/limit-key-creation.ts";
export { type Limit, throttle } from "./throttle/throttle.ts";
export { scaleThrottles, type ThrottleLimits, throttleLimits } from "./throttle/throttle-limits.ts";
export { requestUnlock, unlockBrowser } from "./throttle/unlock-browser.ts";
