// Texts used all over the console: actions, states, errors, times, and the shell's own.
import { createTexts } from "./create-texts.ts";

const action = {
  tryAgain: "Try again",
  cancel: "Cancel",
  close: "Close",
  saving: "Saving…",
  copy: "Copy",
  copied: "Copied",
  copyBlocked: "Press Ctrl+C to copy",
  clearFilters: "Clear filters",
  undo: "Undo",
  dismiss: "Dismiss",
  reload: "Reload",
  refresh: "Refresh",
  show: "Show",
  hide: "Hide",
  actions: "Actions",
  leave: "Discard",
  stay: "Keep editing",
  previous: "Newer",
  next: "Older",
  columns: "Columns",
} as const;

const state = {
  loading: "Loading…",
  filtering: "Filtering…",
  saved: "Saved",
  undone: "Restored {name}",
  sort: "Sort by {column}",
  table: "{caption}, scrollable",
  unsaved: "Discard changes?",
  unsavedBody: "Your changes will be lost.",
  notifications: "Notifications",
  live: "Live",
  updated: "Updated {ago}",
  optional: "(optional)",
  offline: "You're offline. Changes are disabled.",
} as const;

const error = {
  load: "Couldn't load {what}.",
  offline: "Can't reach the server. Check your connection and try again.",
  unknown: "Something went wrong on our side.",
  reference: "Reference {id}",
  copyReference: "Copy reference",
  throttled: "Too many attempts. Try again in {wait}.",
  not_found: "Not found. It may have been deleted.",
  cross_site_request: "This page is out of date. Reload and try again.",
  overloaded: "The server is busy. Try again in a moment.",
  token_expired: "This link has expired or was already used.",
  wrong_credentials: "Incorrect email or password.",
  email_not_verified: "Verify your email to sign in.",
  summary: { one: "Fix {count} error", other: "Fix {count} errors" },
  boundaryTitle: "Something went wrong on this page",
  boundaryBody: "Reload to try again.",
  notFoundBody: "Check the URL, or go back to Overview.",
  toOverview: "Go to Overview",
  toLanding: "Go to the home page",
  toModels: "Browse models",
  toDocs: "Read the docs",
} as const;

const time = {
  now: "just now",
  ago: "{amount} ago",
  ahead: "in {amount}",
  never: "Never",
} as const;

const money = {
  free: "Free",
  perMillion: "{rate} / 1M",
  reserved: "{amount} reserved",
} as const;

const code = {
  copy: "Copy code",
  language: "Language",
} as const;

export const t = createTexts({ action, state, error, time, money, code });
