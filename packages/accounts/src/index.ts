// Accounts and who acts in them: organizations, members, invitations, domains, management keys, what audit logs keep.
export { accountPath, queryAccountPath } from "./account/account-path.ts";
export {
  assertNotInView,
  endView,
  listViews,
  startView,
  viewMinutes,
  viewsOf,
} from "./account/account-view.ts";
export { queryAuditRetention, setAuditRetention } from "./account/audit-retention.ts";
export { assertNoMoney, closeAccount } from "./account/close-account.ts";
export { emptyAccount } from "./account/empty-account.ts";
export { revokesLeakedKeys, setRevokesLeakedKeys } from "./account/leaked-keys.ts";
export { changeAccount, createOrganization } from "./account/organization.ts";
export type { AccountContext } from "./account-context.ts";
export {
  addDomain,
  domainOf,
  domainOfEmail,
  type ListedDomain,
  listDomains,
  noSuchDomain,
  removeDomain,
} from "./domain/domain.ts";
export { assertNotManaged, findRequirement, holdRequirement } from "./domain/find-requirement.ts";
export { parseDomainName } from "./domain/parse-domain-name.ts";
export { proveDomain, proveDomainAsOperator, releaseDomain } from "./domain/prove-domain.ts";
export { openResolver, type ResolveTxt } from "./domain/resolve-txt.ts";
export { acceptInvitation, confirmClaim, recordJoin } from "./invitation/accept-invitation.ts";
export { deadLink } from "./invitation/dead-link.ts";
export {
  inviteMember,
  type ListedInvitation,
  listInvitations,
  openInvitationsMax,
  resendInvitation,
  revokeInvitation,
} from "./invitation/invitation.ts";
export {
  holdInvitation,
  joinAccount,
  listOwnInvitations,
  queryInvitation,
  requireInvitation,
} from "./invitation/open-invitation.ts";
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
export { type ActingOperator, auditActorOf, type Member } from "./member/actor.ts";
export {
  changeRole,
  endMembership,
  type KeyFate,
  keyFates,
  type ListedMember,
  leaveAccount,
  listMembers,
  removeMember,
} from "./member/change-members.ts";
export { assertUnchangedRole, holdMembership } from "./member/hold-membership.ts";
export { findKeyHolder } from "./member/key-holder.ts";
export { setMemberProjects } from "./member/member-projects.ts";
export {
  chooseAccount,
  lockMembers,
  type Membership,
  membershipsOf,
  projectScopeOf,
  requireAccount,
} from "./member/membership.ts";
export { answerOwnership, offerOwnership, withdrawOwnership } from "./member/offer-ownership.ts";
export {
  type Permission,
  permissions,
  permissionsOf,
  requirePermission,
  rolesWith,
  type Scope,
  scopeOf,
} from "./member/permissions.ts";
export { type CreatedAccount, createAccount } from "./person/create-account.ts";
export { type FoundAccount, findAccount } from "./person/find-account.ts";
export { findReservation, type Reservation } from "./person/find-reservation.ts";
export { holdPerson, holdSession, lockPerson, noSession } from "./person/hold-person.ts";
export { normalizeEmail, parseEmail } from "./person/parse-email.ts";
export { parsePersonName, updateProfile } from "./person/update-profile.ts";
export {
  type AccountLimits,
  accountLimits,
  scaleAccountLimits,
  scaleCount,
  scaleLimit,
} from "./throttle/account-limits.ts";
export { limitKeyCreation } from "./throttle/limit-key-creation.ts";
export { forgive, hashBucket, type Limit, throttle, tooMany } from "./throttle/throttle.ts";
