// The words of the API keys.
import { createTexts } from "../texts/create-texts.ts";

const list = {
  description: "Keys let your programs call the API and spend from your Wallet.",
  create: "Create API Key",
  what: "your API keys",
  caption: "Your API keys",
  empty: "No keys yet. Create a key to call the API.",
  none: "No key matches.",
  search: "Search keys",
  status: "Status",
  all: "All but revoked",
  name: "Name",
  key: "Key",
  spend: "Spend",
  lastUsed: "Last used",
  createdBy: "Created by",
  you: "You",
  created: "Created",
  actions: "Actions for {name}",
  oldSecret: "Old secret ends {in}",
  docs: "Read the quickstart",
  snippet: "Your first request",
} as const;

const status = {
  active: "Active",
  disabled: "Disabled",
  expired: "Expired",
  limit_reached: "Limit reached",
  revoked: "Revoked",
  resets: "resets {in}",
  on: "on {date}",
} as const;

const spend = {
  day: "{spent} of {limit} today",
  week: "{spent} of {limit} this week",
  month: "{spent} of {limit} this month",
  total: "{spent} of {limit}",
  none: "{spent} in all",
} as const;

const create = {
  title: "Create API Key",
  name: "Name",
  nameHint: "e.g. production, ci, my-laptop",
  nameMissing: "Enter a name for this key.",
  nameLong: "Use at most 64 characters.",
  submit: "Create key",
  submitting: "Creating…",
} as const;

const limits = {
  title: "Limits and access",
  hint: "Optional. You can change them later.",
  amount: "Spend limit",
  amountHint: "Leave empty for no limit. Periods are in UTC.",
  amountWrong: "Enter an amount such as 10 or 10.50.",
  amountZero: "Enter more than $0.",
  period: "Per",
  day: "day",
  week: "week",
  month: "month",
  total: "in all",
  rate: "Requests per minute",
  tokens: "Tokens per minute",
  atOnce: "Requests at once",
  countWrong: "Enter a whole number of 1 or more.",
  models: "Allowed models",
  modelsHint: "One model id per line. Empty allows all.",
  modelsWrong: "Unknown: {id}",
  addresses: "Allowed addresses",
  addressesHint: "One IP address or CIDR range per line. Empty allows all.",
  addressesWrong: "Not an address or range: {line}",
  expiry: "Expires",
  never: "Never",
  days30: "In 30 days",
  days90: "In 90 days",
  date: "On a date",
  keep: "As now: {date}",
  expiryDate: "Last day",
  expiryWrong: "Choose a day in the future.",
} as const;

const reveal = {
  title: "Save your key",
  label: "Your new API key",
  once: "This is the only time we show it. Store it like a password.",
  copy: "Copy key",
  done: "Done",
  closeTitle: "Close without copying the key?",
  closeBody: "It cannot be shown again. You would have to create a new one.",
  back: "Go back",
  closeAnyway: "Close anyway",
  start: "Use it",
} as const;

const actions = {
  view: "View details",
  edit: "Edit",
  disable: "Disable",
  enable: "Enable",
  rotate: "Rotate secret",
  endPrevious: "Revoke old now",
  revoke: "Revoke",
  logs: "View logs",
  disabled: "Disabled {name}",
  enabled: "Enabled {name}",
  endedPrevious: "The old secret of {name} is revoked",
  revoked: "Revoked {name}",
} as const;

const edit = {
  title: "Edit {name}",
  submit: "Save changes",
  saved: "Saved {name}",
} as const;

const revoke = {
  title: "Revoke {name}?",
  body: "Requests using {name} will fail at once. This cannot be undone.",
  used: "Last used {ago}.",
  unused: "It was never used.",
  confirm: "Revoke key",
  pending: "Revoking…",
  type: "Type {name} to confirm",
} as const;

const endPrevious = {
  title: "Revoke the old secret of {name}?",
  body: "Requests that still use it will fail at once; the new one goes on. This cannot be undone.",
  otherwise: "Otherwise it ends {in}.",
  confirm: "Revoke old secret",
} as const;

const rotate = {
  title: "Rotate the secret of {name}",
  description: "The key keeps its name, limits and history; only its secret changes.",
  grace: "The old secret works for",
  none: "Ends now",
  hour: "1 hour",
  day: "24 hours",
  week: "7 days",
  submit: "Rotate secret",
  submitting: "Rotating…",
  waits: "The old secret still works until {at} ({in}). Let it run out, or revoke it now, first.",
} as const;

const detail = {
  what: "this key",
  limits: "Limits",
  noLimits: "This key has no limits of its own.",
  resets: "Resets {in}",
  models: "Top models, last 30 days",
  noModels: "No requests in the last 30 days.",
  errors: "Recent errors",
  noErrors: "No errors.",
  error: "Error",
  status: "Status",
  when: "When",
  model: "Model",
  cost: "Cost",
  requests: "Requests",
  chart: "Spend, USD per day",
  requestsChart: "Requests per day",
  requestsTotal: { one: "{total} request in 30 days", other: "{total} requests in 30 days" },
  reached: "{name} reached its limit of {limit}.",
  reachedDay: "{name} reached its limit of {limit} per day. It resets {in}.",
  reachedWeek: "{name} reached its limit of {limit} per week. It resets {in}.",
  reachedMonth: "{name} reached its limit of {limit} per month. It resets {in}.",
  raise: "Raise limit",
  ratePerMinute: "{count} requests per minute",
  tokensPerMinute: "{count} tokens per minute",
  atOnce: "{count} requests at once",
  onlyModels: "Only {models}",
  onlyAddresses: "Only from {addresses}",
  expires: "Expires {at}",
} as const;

const history = {
  title: "History",
  created: "Created",
  name: "Renamed from {before} to {after}",
  disabled: "Disabled",
  enabled: "Enabled",
  revoked: "Revoked",
  secret: "Secret rotated; the old one ended at once",
  secretUntil: "Secret rotated; the old one works until {date}",
  oldSecret: "Old secret revoked",
  expiry: "Expiry: {before} → {after}",
  daySpend: "Spend limit per day: {before} → {after}",
  weekSpend: "Spend limit per week: {before} → {after}",
  monthSpend: "Spend limit per month: {before} → {after}",
  totalSpend: "Spend limit in all: {before} → {after}",
  requestsPerMinute: "Requests per minute: {before} → {after}",
  tokensPerMinute: "Tokens per minute: {before} → {after}",
  concurrency: "Requests at once: {before} → {after}",
  allowedModels: "Allowed models: {before} → {after}",
  allowedAddresses: "Allowed addresses: {before} → {after}",
  none: "none",
} as const;

export const t = createTexts({
  list,
  status,
  spend,
  create,
  limits,
  reveal,
  actions,
  edit,
  revoke,
  endPrevious,
  rotate,
  detail,
  history,
});
