// Texts used all over the console: actions, states, errors, times, and the shell's own.
import { createTexts } from "./create-texts.ts";

const action = {
  tryAgain: "Try again",
  cancel: "Cancel",
  close: "Close",
  save: "Save",
  saving: "Saving…",
  copy: "Copy",
  copied: "Copied",
  copyBlocked: "Press Ctrl+C",
  clearFilters: "Clear filters",
  undo: "Undo",
  dismiss: "Dismiss",
  reload: "Reload",
  refresh: "Refresh",
  show: "Show",
  hide: "Hide",
  actions: "Actions",
  leave: "Leave without saving",
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
  table: "{caption}, scrolls sideways",
  unsaved: "Leave without saving?",
  unsavedBody: "Your changes on this page are not saved yet.",
  notifications: "Notifications",
  live: "Live",
  updated: "Updated {ago}",
  optional: "(optional)",
  offline: "You are offline. Changes are disabled until you are connected again.",
} as const;

const error = {
  load: "We couldn't load {what}. Nothing was changed.",
  offline: "We couldn't reach the server. Nothing was changed.",
  unknown: "Something went wrong on our side.",
  reference: "Reference {id}",
  copyReference: "Copy reference",
  throttled: "Too many attempts. Try again in {wait}.",
  not_found: "We couldn't find it. It may have been removed.",
  cross_site_request: "This request did not come from this page. Reload and try again.",
  account_frozen: "This account is frozen after a refund or dispute. Write to {support}.",
  account_suspended: "This account is suspended. Write to {support}.",
  overloaded: "The server is busy. Nothing was changed.",
  token_expired: "This link has expired.",
  wrong_credentials: "E-mail or password is not correct.",
  email_not_verified: "Verify your e-mail first. We can send the link again.",
  summary: { one: "Check {count} field", other: "Check {count} fields" },
  boundaryTitle: "Something went wrong on this page",
  boundaryBody: "The rest of the console still works. Reload to try again.",
  notFoundTitle: "Page not found",
  notFoundBody: "We can't find that page. It may have moved, or the address has a typo.",
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
  exact: "Exactly {amount}",
  reserved: "{amount} reserved",
} as const;

const code = {
  copy: "Copy code",
  language: "Language",
} as const;

export const t = createTexts({ action, state, error, time, money, code });
