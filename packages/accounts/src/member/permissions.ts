// What each role may do: the only place that decides it. Every procedure of an account names the permission
// it needs; `docs/permissions.md` is written from this table.
import { Fault } from "@turnpike/base";
import { type Role, roles } from "@turnpike/terms";

export const permissions = [
  "account.read",
  "account.change",
  "account.own",
  "members.read",
  "members.change",
  "projects.read",
  "projects.change",
  "keys.read",
  "keys.change",
  "budgets.read",
  "budgets.change",
  "guardrails.read",
  "guardrails.change",
  "management.read",
  "management.change",
  "usage.read",
  "logs.read",
  "prompts.read",
  "files.read",
  "files.change",
  "playground.use",
  "money.read",
  "money.change",
  "audit.read",
  "webhooks.read",
  "webhooks.change",
] as const;
export type Permission = (typeof permissions)[number];

/** `own`: only what concerns the keys that the member made. */
export type Scope = "all" | "own";

const everything = allOf(permissions);

const grants = {
  owner: everything,
  admin: { ...everything, "account.own": undefined },
  billing: {
    ...allOf([
      "account.read",
      "members.read",
      "projects.read",
      "keys.read",
      "budgets.read",
      "budgets.change",
      "guardrails.read",
      "usage.read",
      "money.read",
      "money.change",
    ]),
    "management.read": "own",
    "management.change": "own",
  },
  developer: {
    ...allOf(["account.read", "members.read", "projects.read", "playground.use"]),
    "keys.read": "own",
    "keys.change": "own",
    "budgets.read": "own",
    "guardrails.read": "own",
    "guardrails.change": "own",
    "management.read": "own",
    "management.change": "own",
    "usage.read": "own",
    "logs.read": "own",
    "prompts.read": "own",
    "files.read": "own",
    "files.change": "own",
  },
  viewer: allOf([
    "account.read",
    "members.read",
    "projects.read",
    "keys.read",
    "budgets.read",
    "guardrails.read",
    "usage.read",
    "logs.read",
    "money.read",
  ]),
} as const satisfies Record<Role, Grants>;

type Grants = Readonly<Partial<Record<Permission, Scope | undefined>>>;

function allOf(list: readonly Permission[]): Grants {
  return Object.fromEntries(list.map((permission) => [permission, "all"]));
}

/** Undefined if the role lacks the permission. */
export function scopeOf(role: Role, permission: Permission): Scope | undefined {
  const granted: Grants = grants[role];
  return granted[permission];
}

export function rolesWith(permission: Permission): readonly Role[] {
  return roles.filter((role) => scopeOf(role, permission) !== undefined);
}

/** What the console needs to know to show only what works. */
export function permissionsOf(role: Role): Readonly<Partial<Record<Permission, Scope>>> {
  return Object.fromEntries(
    permissions.flatMap((permission) => {
      const scope = scopeOf(role, permission);
      return scope === undefined ? [] : [[permission, scope]];
    }),
  );
}

/** Throws `permission_denied`. */
export function requirePermission(
  account: { readonly name: string; readonly role: Role },
  permission: Permission,
): Scope {
  const scope = scopeOf(account.role, permission);
  if (scope !== undefined) return scope;
  throw new Fault(
    "permission_denied",
    `Your role in ${account.name} (${account.role}) does not allow this. Ask an owner or admin of the account.`,
    { metadata: { permission, role: account.role } },
  );
}
