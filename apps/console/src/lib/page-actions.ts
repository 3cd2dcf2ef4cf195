// What can be begun on a page. The palette lists these for roles that may; the page begins one when its address asks for
// it (`use-asked.ts`).
import type { Permission } from "./session.ts";

type PageAction = {
  readonly title: string;
  /** What the page calls it, to be found by. */
  readonly also?: string;
  readonly path: string;
  readonly needs?: Permission;
  /** For what belongs to the account: a role that may change only its own keys may not. */
  readonly all?: true;
  readonly only?: "organization" | "providers";
};

const security = { path: "/settings/security" } as const;
const organization = { path: "/settings/organization", only: "organization" } as const;
const changing = { ...organization, needs: "account.change" } as const;
const owning = { ...organization, needs: "account.own" } as const;

export const pageActions = {
  "create-key": { title: "Create API Key", path: "/keys", needs: "keys.change" },
  "add-funds": {
    title: "Add funds",
    also: "Continue to payment",
    path: "/wallet",
    needs: "money.change",
  },
  "auto-top-up": { title: "Set up automatic top-up", path: "/wallet", needs: "money.change" },
  "company-details": {
    title: "Change company details",
    also: "Statements",
    path: "/wallet",
    needs: "account.change",
  },
  "download-transactions": {
    title: "Download transactions",
    also: "CSV",
    path: "/wallet",
    needs: "money.read",
  },
  "download-statement": {
    title: "Download statement",
    also: "PDF, invoice",
    path: "/wallet",
    needs: "money.read",
  },
  "low-balance-alert": {
    title: "Set low-balance alert",
    path: "/settings/notifications",
    needs: "money.change",
  },
  "unusual-spend-alert": {
    title: "Set unusual-spend alert",
    path: "/settings/notifications",
    needs: "money.change",
  },
  "set-budget": { title: "Set budget", path: "/budgets", needs: "budgets.change" },
  "budget-time-zone": {
    title: "Change time zone of budgets",
    path: "/budgets",
    needs: "budgets.change",
  },
  "create-project": { title: "Create project", path: "/projects", needs: "projects.change" },
  "store-prompts": {
    title: "Store prompts and answers",
    also: "Content, retention",
    path: "/settings/privacy",
    needs: "projects.change",
    all: true,
  },
  "new-chat": { title: "New chat", path: "/playground", needs: "playground.use" },
  "export-usage": { title: "Export usage", also: "CSV", path: "/usage", needs: "usage.read" },
  "invite-member": {
    title: "Invite a member",
    also: "Send invitation",
    path: "/settings/members",
    needs: "members.change",
    only: "organization",
  },
  "create-management-key": {
    title: "Create management key",
    path: "/settings/management-keys",
    needs: "management.change",
  },
  "revoke-leaked-keys": {
    title: "Revoke leaked keys at once",
    also: "Scanners, published keys",
    path: "/keys",
    needs: "account.change",
  },
  "set-guardrail": {
    title: "Set guardrail of the account",
    also: "Set rules, Change rules",
    path: "/settings/guardrails",
    needs: "guardrails.change",
    all: true,
  },
  "add-endpoint": {
    title: "Add endpoint",
    also: "Webhook",
    path: "/settings/webhooks",
    needs: "webhooks.change",
  },
  "download-audit-log": {
    title: "Download audit log",
    also: "CSV",
    path: "/settings/audit-log",
    needs: "audit.read",
  },
  "change-profile": {
    title: "Change name and time zone",
    also: "Profile",
    path: "/settings/profile",
  },
  "change-email": {
    title: "Change email address",
    also: "Send confirmation link",
    path: "/settings/profile",
  },
  "change-password": { ...security, title: "Change password" },
  "add-passkey": { ...security, title: "Add passkey", also: "Second factor" },
  "add-app": { ...security, title: "Add authenticator app", also: "Second factor" },
  "link-identity": { ...security, title: "Link a sign-in provider", only: "providers" },
  "sign-out-everywhere": { ...security, title: "Sign out everywhere" },
  "download-data": { title: "Download my data", path: "/settings/profile" },
  "delete-account": { title: "Delete my account", path: "/settings/profile" },
  "change-organization": { ...changing, title: "Change name and address of the organization" },
  "require-factors": { ...changing, title: "Require a second factor" },
  "set-rate-limits": { ...changing, title: "Set rate limits of the organization" },
  "add-domain": { ...changing, title: "Add domain", also: "Mail" },
  "export-organization": { ...owning, title: "Download all data" },
  "leave-organization": { ...organization, title: "Leave organization" },
  "delete-organization": { ...owning, title: "Delete organization" },
} as const satisfies Readonly<Record<string, PageAction>>;

export type PageActionId = keyof typeof pageActions;

export const listedActions: readonly (readonly [PageActionId, PageAction])[] =
  asEntries(pageActions);

/** Guarantee: an object literal has exactly the keys of its type. */
function asEntries<Id extends string>(
  actions: Readonly<Record<Id, PageAction>>,
): [Id, PageAction][] {
  return Object.entries(actions) as [Id, PageAction][];
}
