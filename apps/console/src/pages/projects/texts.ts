// Texts of the projects.
import { createTexts } from "../../lib/create-texts.ts";

const list = {
  description:
    "Projects group API keys, so that usage, logs and budgets can be seen and set for each of them.",
  create: "Create project",
  what: "the projects",
  title: "Projects",
  caption: "Projects",
  name: "Name",
  isDefault: "Default",
  archived: "Archived",
  status: "Status",
  open: "Active",
  keys: "API keys",
  keysOf: { one: "{count} key", other: "{count} keys" },
  spend: "Spend, 30 days",
  ownSpend: "Your spend, 30 days",
  created: "Created",
  actions: "Actions for {name}",
  showArchived: "Show archived",
} as const;

const actions = {
  keys: "View keys",
  usage: "View usage",
  logs: "View logs",
  rename: "Rename",
  limits: "Rate limits",
  archive: "Archive",
  restore: "Restore",
  restored: "Restored {name}",
} as const;

const create = {
  title: "Create project",
  name: "Name",
  nameHint: "e.g. a team, a product or a customer",
  nameMissing: "Enter a name for this project.",
  nameLong: "Use at most 64 characters.",
  submit: "Create project",
  submitting: "Creating…",
  done: "Created {name}",
} as const;

const rename = {
  title: "Rename {name}",
  submit: "Save name",
  done: "Renamed to {name}",
} as const;

const limits = {
  title: "Rate limits of {name}",
  description:
    "For all requests of this project together, beside the limits of its keys and of the account. Leave a field empty for no limit.",
  submit: "Save limits",
  done: "Saved the rate limits of {name}",
  requests: { one: "{count} request a minute", other: "{count} requests a minute" },
  tokens: { one: "{count} token a minute", other: "{count} tokens a minute" },
  concurrency: { one: "{count} at once", other: "{count} at once" },
} as const;

const archive = {
  title: "Archive {name}?",
  body: "It is no longer offered for new keys. Its usage and logs stay, and it can be restored.",
  keys: "Its API keys",
  move: "Move them",
  moveHint: "They keep working, in the default project.",
  revoke: "Revoke them",
  revokeHint: "They stop working within a second, for good.",
  confirm: "Archive project",
  pending: "Archiving…",
  done: "Archived {name}",
} as const;

export const t = createTexts({ list, actions, create, rename, limits, archive });
