// Texts of the command palette and of the list of shortcuts.
import { createTexts } from "../../lib/create-texts.ts";

const palette = {
  title: "Search or jump to…",
  placeholder: "A page, an action, a key, a model, a request id",
  none: "Nothing found.",
  recent: "Recent",
  pages: "Pages",
  actions: "Actions",
  accounts: "Accounts",
  openAccount: "Switch to {name}",
  keys: "API keys",
  models: "Models",
  docs: "Docs",
  requests: "Requests",
  request: "Open request {id}",
  createKey: "Create API Key",
  addFunds: "Add funds",
  light: "Switch to the light theme",
  dark: "Switch to the dark theme",
  shortcuts: "Keyboard shortcuts",
  signOut: "Sign out",
} as const;

const shortcuts = {
  title: "Keyboard shortcuts",
  go: "Go to",
  here: "On a page",
  everywhere: "Everywhere",
  palette: "Search or jump",
  list: "Show shortcuts",
  search: "Search on this page",
  create: "Create a key (API Keys)",
  rows: "Next and previous row (Logs)",
  send: "Send (Playground)",
  stop: "Stop the answer (Playground)",
  single: "Single-key shortcuts",
  singleHint: "Turn off if they conflict with speech input.",
} as const;

export const t = createTexts({ palette, shortcuts });
