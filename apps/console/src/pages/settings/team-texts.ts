// Texts of the settings of organizations.
import { createTexts } from "../../lib/create-texts.ts";

const none = {
  title: "This is your personal account: it has one member.",
  body: "To work with others, create an organization. It has its own wallet, API keys and logs, and each member has a role.",
  create: "Create organization",
} as const;

const organization = {
  title: "Name and address",
  name: "Name",
  nameMissing: "Enter a name.",
  slug: "Address",
  slugHint: "Pages are at /a/{slug}. Links with the former address keep working.",
  slugMissing: "Enter an address.",
  save: "Save changes",
  leaveTitle: "Leave {name}",
  leaveHint:
    "You lose access at once. API keys you made stay with the organization and keep working; its admins can revoke them.",
  leave: "Leave organization",
  leaving: "Leaving…",
  leaveAsk: "Leave {name}?",
  closeTitle: "Delete {name}",
  closeHint:
    "For everyone who belongs to it, at once. Its API keys stop working, and its name, members, domains and webhooks are deleted. The wallet must be empty.",
  closeKept:
    "What stays: payments and charges, without a name, because the books must add up; the audit log for 90 days, so that nobody can hide what they did; and its URL, so that nobody else gets its links.",
  close: "Delete organization",
  closing: "Deleting…",
  closeAsk: "Delete {name}?",
  closeType: "Type the name of the organization",
} as const;

const members = {
  title: "Members",
  what: "the members",
  caption: "Members",
  name: "Name",
  role: "Role",
  joined: "Joined",
  you: "You",
  offered: "Ownership offered",
  menu: "Actions for {email}",
  changeRole: "Change role",
  changeRoleTitle: "Change the role of {email}",
  saved: "{email} is now {role}.",
  save: "Change role",
  offer: "Offer ownership",
  offerTitle: "Offer {email} the ownership?",
  offerBody:
    "Once they accept, they are an owner like you: they decide about members, money and the organization itself. Nothing changes until then.",
  offerDone: "{email} was offered the ownership.",
  withdraw: "Withdraw offer",
  remove: "Remove",
  removeTitle: "Remove {email}?",
  removeBody: "They lose access with their next request. Invitations they sent stop working.",
  removeKeys: "API keys they made",
  keysRevoke: "Revoke them",
  keysRevokeHint: "Programs that use them are refused within a second.",
  keysKeep: "Keep them",
  keysKeepHint: "They keep working. The person may still know the secrets.",
  keysHandOver: "Hand them over to me",
  keysHandOverHint: "They keep working, as keys that you made.",
  removing: "Removing…",
  removed: "{email} was removed.",
} as const;

const scope = {
  legend: "Projects",
  all: "All projects",
  allHint: "Later ones too. Owners and admins always have all.",
  missing: "Choose at least one project.",
  change: "Change projects",
  changeTitle: "Change the projects of {email}",
  saved: "The projects of {email} are saved.",
} as const;

const roleHints = {
  admin: "Everything except ownership",
  billing: "Money, usage and the names of keys",
  developer: "Own API keys, their usage and logs, playground",
  viewer: "Looks at everything, changes nothing",
} as const;

const invite = {
  title: "Invitations",
  what: "the invitations",
  caption: "Open invitations",
  hint: "An invitation works for 7 days.",
  email: "Email",
  emailWrong: "Enter a valid email address.",
  role: "Role",
  send: "Send invitation",
  sending: "Sending…",
  sent: "Invitation sent to {email}.",
  expires: "Expires",
  expired: "Expired",
  none: "No open invitations.",
  resend: "Send again",
  resent: "A new link was sent to {email}. The former one no longer works.",
  revoke: "Revoke",
  revoked: "The invitation of {email} was revoked.",
  claim: "{claimer} opened this invitation and wants to join with that address.",
  confirm: "Let {claimer} join",
  joined: "{email} joined.",
} as const;

const audit = {
  title: "Audit log",
  what: "the audit log",
  caption: "What was done in this account, newest first",
  at: "Time",
  actor: "By",
  action: "Action",
  object: "What",
  changes: "Changes",
  operator: "Operator",
  managementKey: "Management key",
  filter: "Action",
  all: "All actions",
  none: "Nothing was done yet.",
  noneFound: "Nothing matches the filter.",
  more: "Show more",
  download: "Download CSV",
  to: "{before} → {after}",
  nothing: "nothing",
} as const;

const retention = {
  title: "Retention",
  description:
    "Older rows are deleted for good. Rows of the last 90 days are always kept, so that nobody can hide what they did.",
  what: "the retention of the audit log",
  label: "Keep the audit log for",
  forEver: "Ever",
  days: { one: "{count} day", other: "{count} days" },
} as const;

export const t = createTexts({
  none,
  organization,
  members,
  scope,
  roleHints,
  invite,
  audit,
  retention,
});
