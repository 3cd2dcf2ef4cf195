// Texts of the page of management keys.
import { createTexts } from "../../lib/create-texts.ts";

const list = {
  title: "Management keys",
  hint: "For programs that manage this account over the management API: API keys, members, usage and more. A management key cannot call models. It acts for you: it never does more than your role allows, and stops working when you leave the account.",
  docs: "How the management API works",
  what: "the management keys",
  caption: "Management keys",
  create: "Create management key",
  none: "No management keys yet.",
  name: "Name",
  permissions: "Permissions",
  permissionsCount: { one: "{n} permission", other: "{n} permissions" },
  createdBy: "Created by",
  used: "Last used",
  never: "Never",
  expires: "Expires",
  revoke: "Revoke",
  revokeOf: "Revoke {name}",
} as const;

const create = {
  title: "Create management key",
  name: "Name",
  nameHint: "Where it is used, e.g. “onboarding script”.",
  nameMissing: "Enter a name.",
  permissions: "What it may do",
  permissionsMissing: "Choose at least one permission.",
  expires: "Expires",
  expiresNever: "Never",
  expiresDays: "In {n} days",
  submit: "Create key",
  submitting: "Creating…",
  next: "Send it as `Authorization: Bearer …` to {url}.",
} as const;

const revoke = {
  title: "Revoke {name}?",
  body: "Programs that use it are refused from their next call on. This cannot be undone.",
  confirm: "Revoke key",
  pending: "Revoking…",
  done: "{name} was revoked.",
} as const;

const leaked = {
  title: "Leaked keys",
  hint: "API keys and management keys of this account that scanners find in public places. Their owners get a mail in any case.",
  what: "the setting",
  revoke: "Revoke leaked keys at once",
  revokeHint: "Otherwise they keep working until you revoke them.",
} as const;

/** By permission; one without a text is shown by its name. */
const permission = {
  "account.read": "See the account",
  "account.change": "Rename the account",
  "members.read": "See members",
  "members.change": "Invite, change and remove members",
  "keys.read": "See API keys",
  "keys.change": "Create, change and revoke API keys",
  "usage.read": "See usage",
  "logs.read": "See requests one by one",
  "webhooks.read": "See webhook endpoints",
  "webhooks.change": "Change webhook endpoints",
  "money.read": "See the balance and its movements",
  "money.change": "Change alerts and payments",
  "audit.read": "See the audit log",
  "management.read": "See management keys",
} as const;

export const t = createTexts({ list, create, revoke, leaked });

export function permissionText(name: string): string {
  const texts: Readonly<Record<string, string>> = permission;
  return texts[name] ?? name;
}
