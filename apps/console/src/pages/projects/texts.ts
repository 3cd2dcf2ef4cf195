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

export const t = createTexts({ list, actions, create, rename, archive });
