// Texts of the API keys.
import { createTexts } from "../../lib/create-texts.ts";

const list = {
  description: "Keys let your programs call the API and spend from your Wallet.",
  create: "Create API Key",
  what: "your API keys",
  caption: "Your API keys",
  empty: "No keys yet. Create a key to call the API.",
  none: "No keys match.",
  search: "Search keys",
  status: "Status",
  all: "All statuses",
  name: "Name",
  key: "Key",
  project: "Project",
  spend: "Spend",
  lastUsed: "Last used",
  createdBy: "Created by",
  you: "You",
  created: "Created",
  actions: "Actions for {name}",
  oldSecret: "Old secret stops working {in}",
  docs: "Read the quickstart",
  snippet: "First request",
} as const;

const status = {
  active: "Active",
  disabled: "Disabled",
  expired: "Expired",
  limit_reached: "Limit reached",
  revoked: "Revoked",
  noMoney: "No balance left",
  noMoneyHint: "Requests are declined until you add funds.",
  frozen: "Account frozen",
  frozenHint: "Requests are declined because of a refund or dispute. Contact support.",
  resets: "resets {in}",
  on: "on {date}",
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
  amountHint: "Leave empty for no limit. Periods are in the time zone of your budgets.",
  amountWrong: "Enter an amount such as 10 or 10.50.",
  amountZero: "Enter more than $0.",
  period: "Per",
  day: "day",
  week: "week",
  month: "month",
  total: "in total",
  rate: "Requests per minute",
  tokens: "Tokens per minute",
  atOnce: "Concurrent requests",
  countWrong: "Enter a whole number of 1 or more.",
  models: "Allowed models",
  modelsHint:
    "One model id per line; anthropic/* stands for all that begin with anthropic/. Empty allows all.",
  modelsWrong: "Unknown model: {id}",
  addresses: "Allowed addresses",
  addressesHint: "One IP address or CIDR range per line. Empty allows all.",
  addressesWrong: "Invalid IP address or range: {line}",
  expiry: "Expires",
  never: "Never",
  days30: "In 30 days",
  days90: "In 90 days",
  date: "On a date",
  keep: "Keep {date}",
  expiryDate: "Last day",
  expiryWrong: "Choose a day in the future.",
} as const;

const actions = {
  view: "View details",
  edit: "Edit",
  disable: "Disable",
  enable: "Enable",
  rotate: "Rotate secret",
  endPrevious: "Revoke old secret",
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
  body: "Requests using {name} will fail immediately. This cannot be undone.",
  used: "Last used {ago}.",
  unused: "It has never been used.",
  confirm: "Revoke key",
  pending: "Revoking…",
  type: "Type the last four characters of {key} to confirm",
} as const;

const endPrevious = {
  title: "Revoke the old secret of {name}?",
  body: "Requests that still use it will fail immediately; the new secret keeps working. This cannot be undone.",
  otherwise: "Otherwise it stops working {in}.",
  confirm: "Revoke old secret",
} as const;

const rotate = {
  title: "Rotate secret for {name}",
  description: "Creates a new secret. Name, limits, and history stay the same.",
  grace: "The old secret works for",
  none: "Stops working now",
  hour: "1 hour",
  day: "24 hours",
  week: "7 days",
  submit: "Rotate secret",
  submitting: "Rotating…",
  waits: "The old secret still works until {at} ({in}). Wait until it expires, or revoke it first.",
} as const;

const detail = {
  what: "this key",
  limits: "Limits",
  noLimits: "This key has no limits.",
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
  noMoney: "Your Wallet is empty, so requests with {name} are declined.",
  addFunds: "Add funds",
  ratePerMinute: { one: "{count} request per minute", other: "{count} requests per minute" },
  tokensPerMinute: { one: "{count} token per minute", other: "{count} tokens per minute" },
  atOnce: { one: "{count} concurrent request", other: "{count} concurrent requests" },
  expires: "Expires {at}",
} as const;

const history = {
  title: "History",
  created: "Created",
  name: "Renamed from {before} to {after}",
  disabled: "Disabled",
  enabled: "Enabled",
  revoked: "Revoked",
  secret: "Secret rotated; the old one stopped working immediately",
  secretUntil: "Secret rotated; the old one works until {date}",
  oldSecret: "Old secret revoked",
  expiry: "Expiry: {before} → {after}",
  daySpend: "Spend limit per day: {before} → {after}",
  weekSpend: "Spend limit per week: {before} → {after}",
  monthSpend: "Spend limit per month: {before} → {after}",
  totalSpend: "Spend limit in total: {before} → {after}",
  requestsPerMinute: "Requests per minute: {before} → {after}",
  tokensPerMinute: "Tokens per minute: {before} → {after}",
  concurrency: "Concurrent requests: {before} → {after}",
  allowedModels: "Allowed models: {before} → {after}",
  allowedAddresses: "Allowed addresses: {before} → {after}",
  none: "none",
} as const;

export const t = createTexts({
  list,
  status,

  create,
  limits,
  actions,
  edit,
  revoke,
  endPrevious,
  rotate,
  detail,
  history,
});
