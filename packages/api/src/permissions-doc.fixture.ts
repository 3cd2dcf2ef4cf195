// Writes docs/permissions.md from the table of permissions and the procedures that name them:
// `bun packages/api/src/permissions-doc.fixture.ts`. A test compares the file with what this writes.
import { join } from "node:path";
import { type Permission, permissions, scopeOf } from "@turnpike/accounts";
import { roles } from "@turnpike/terms";
import { procedureNames } from "./open-test-api.fixture.ts";
import { metaOf } from "./read-procedure.fixture.ts";

export const permissionsFile = join(import.meta.dirname, "../../../docs/permissions.md");

const meanings: Readonly<Record<Permission, string>> = {
  "account.read": "belong to the account, and leave it",
  "account.change": "rename the account and change its URL",
  "account.own": "offer the ownership to another member, delete the account",
  "members.read": "see who belongs to the account",
  "members.change": "invite, change roles, remove",
  "projects.read": "see the projects",
  "projects.change": "create, rename, archive and restore projects",
  "keys.read": "see API keys, their limits and what they spent",
  "keys.change": "create, limit, disable, rotate and revoke API keys",
  "budgets.read": "see the budgets; own: those that bind the member and their keys",
  "budgets.change": "set and remove budgets, set the time zone their periods begin in",
  "guardrails.read":
    "see which calls are allowed; own: by the account, its projects and the member's keys",
  "guardrails.change": "set and remove guardrails; own: those of the member's keys",
  "management.read": "see the keys of the management API",
  "management.change": "create and revoke keys of the management API",
  "usage.read": "see the overview and the usage",
  "logs.read": "see requests one by one",
  "prompts.read": "see the prompts and answers of requests, where they are stored",
  "files.read": "see and download files, see batches; own: what the member's keys made",
  "files.change": "delete files, cancel batches; own: what the member's keys made",
  "playground.use":
    "spend the account's money in the playground, share conversations and read shared ones",
  "money.read": "see the balance, its movements and top-ups",
  "money.change": "add funds, set the low-balance alert",
  "audit.read": "see who did what in the account",
  "webhooks.read": "see webhook endpoints and what was delivered to them",
  "webhooks.change": "add, change and delete webhook endpoints, see their secrets, send again",
};

export function writePermissions(): string {
  const rows = permissions.map((permission) => {
    const cells = roles.map((role) => scopeOf(role, permission) ?? "–");
    return `| ${[`\`${permission}\``, meanings[permission], ...cells].join(" | ")} |`;
  });
  const procedures = permissions.map((permission) => {
    const names = procedureNames.filter((name) => metaOf(name).permission === permission);
    return `| \`${permission}\` | ${names.map((name) => `\`${name}\``).join(", ") || "(no procedure of the router)"} |`;
  });
  return `# Permissions

What each role may do in an account. Written by \`bun packages/api/src/permissions-doc.fixture.ts\` from
\`packages/accounts/src/member/permissions.ts\`, the only place that decides it.

"own" means: only API keys that the member made, and the requests of these keys.

| permission | to | ${roles.join(" | ")} |
|---|---|${roles.map(() => "---|").join("")}
${rows.join("\n")}

Nobody is made an owner by someone else: an owner offers the ownership, and the member accepts it. Only an
owner changes or removes another owner, and an account always has one. A personal account has exactly one
member, its owner.

## Procedures of the console

Every procedure of an account names its permission. A test calls each of them with every role, without a
session, and as a member of another account.

| permission | procedures |
|---|---|
${procedures.join("\n")}
`;
}

if (import.meta.main) await Bun.write(permissionsFile, writePermissions());
