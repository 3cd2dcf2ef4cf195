// Texts of Settings.
import { createTexts } from "../../lib/create-texts.ts";

const nav = { label: "Settings sections" } as const;

const profile = {
  title: "Profile",
  name: "Name",
  nameHint: "Shown in the account menu.",
  nameLong: "Use at most 100 characters.",
  timeZone: "Time zone",
  timeZoneHint: "Used for days in charts and lists.",
  browserZone: "This browser's: {zone}",
  save: "Save changes",
  theme: "Theme",
  themeHint: "Applies to this browser.",
  emailTitle: "Email address",
  emailNow: "You sign in with {email}.",
  newEmail: "New email",
  password: "Your password",
  emailWrong: "Enter a valid email address.",
  emailMissing: "Enter the new address.",
  passwordMissing: "Enter your password.",
  changeEmail: "Send confirmation link",
  changing: "Sending…",
  emailSent:
    "We sent a link to {email}. Your address changes once you confirm it there; until then you sign in with the old one, which we have notified and which can undo the change for 72 hours.",
} as const;

const password = {
  title: "Password",
  description: "Changing it signs out all other sessions.",
  current: "Current password",
  next: "New password",
  currentMissing: "Enter your current password.",
  short: "Use at least {least} characters.",
  hint: "At least {least} characters",
  submit: "Change password",
  submitting: "Changing…",
  done: "Password changed. All other sessions were signed out.",
} as const;

const sessions = {
  title: "Sessions",
  description: "Don't recognize a session? Sign it out and change your password.",
  caption: "Your sessions",
  device: "Device",
  address: "Address",
  since: "Signed in",
  seen: "Last seen",
  current: "This device",
  end: "Sign out",
  endThis: "Sign out {device}",
  endTitle: "Sign out {device}?",
  endBody: "{device} at {address} will be signed out at its next action.",
  ending: "Signing out…",
  endOthers: "Sign out all others",
  endOthersTitle: "Sign out all other sessions?",
  endOthersBody: "Only this device stays signed in.",
  endAll: "Sign out everywhere",
  endAllTitle: "Sign out everywhere?",
  endAllBody: "This device is signed out, too.",
  near: "near {place}",
  ended: { one: "Signed out {count} session.", other: "Signed out {count} sessions." },
  endedOne: "Signed out {device}.",
  what: "your sessions",
} as const;

const events = {
  title: "Security log",
  description:
    "What happened to your sign-in in the last 400 days. If something was not you, change your password.",
  caption: "What happened to your sign-in, newest first",
  whatList: "your security log",
  at: "Time",
  what: "What",
  more: "Show more",
  sign_in: "Signed in",
  sign_out: "Signed out",
  session_end: "Signed out a session",
  sessions_end: "Signed out several sessions",
  password_change: "Changed the password",
  password_reset: "Set a new password by email",
  email_change: "Changed the email address",
  change_undone: "Undid a change by email",
  identity_link: "Linked a sign-in provider",
  identity_unlink: "Unlinked a sign-in provider",
  export: "Downloaded all data",
  deletion_request: "Asked to be deleted",
  deletion_cancel: "Canceled the deletion",
} as const;

const deletion = {
  title: "Delete your account",
  description:
    "A week later your sign-in, keys and personal account are deleted. Payments and charges stay without your name, because the books must add up, and organizations keep the record of what you did in them, because it is theirs. Spend or have refunded what is in your wallet, and transfer or delete organizations you alone own, first.",
  what: "whether you are to be deleted",
  ask: "Delete my account",
  asking: "Asking…",
  askTitle: "Delete your account?",
  askBody: "You have a week to change your mind. We send you a mail about it.",
  due: "Your account will be deleted:",
  cancel: "Keep my account",
  canceling: "Canceling…",
  canceled: "Your account stays.",
} as const;

const data = {
  title: "Your data",
  description:
    "Everything stored about you and your personal account, as one archive: sessions, keys, requests, payments. Hashes and secrets are not in it.",
  download: "Download my data",
  accountTitle: "Data of this account",
  accountDescription:
    "Everything stored about this account as one archive: members, keys, requests, payments, audit log. Hashes and secrets are not in it.",
  accountDownload: "Download all data",
  preparing: "Preparing…",
  failed: "The archive could not be written. Try again.",
} as const;

const notify = {
  title: "Low balance",
  description: "One email to {email} when the available balance falls below an amount you choose.",
  on: "Email me when my balance is low",
  off: "No alert is set.",
  level: "An email is sent below {amount}.",
  amount: "Below",
  amountWrong: "Enter an amount such as 5 or 5.50.",
  amountZero: "Enter more than $0.",
  save: "Save",
  what: "your alert",
  always: "Always sent",
  alwaysBody: "Receipts, new-device sign-ins, and password or email changes.",
} as const;

export const t = createTexts({ nav, profile, password, sessions, events, data, deletion, notify });
