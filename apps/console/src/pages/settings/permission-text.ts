// Names what a management key may do.

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
  "files.read": "See and download files, see batches",
  "files.change": "Delete files and cancel batches",
  "webhooks.read": "See webhook endpoints",
  "webhooks.change": "Change webhook endpoints",
  "money.read": "See the balance and its movements",
  "money.change": "Change alerts and payments",
  "audit.read": "See the audit log",
  "management.read": "See management keys",
} as const;

export function permissionText(name: string): string {
  const texts: Readonly<Record<string, string>> = permission;
  return texts[name] ?? name;
}
