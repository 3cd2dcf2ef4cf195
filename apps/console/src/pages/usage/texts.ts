// Texts of the usage page.
import { createTexts } from "../../lib/create-texts.ts";

const filter = {
  keys: "Keys",
  models: "Models",
  status: "Status",
  groupBy: "Group by",
  byModel: "By model",
  byKey: "By key",
  byProject: "By project",
  byProvider: "By provider",
  compare: "Compare with previous period",
} as const;

const status = {
  ok: "Succeeded",
  client_error: "Refused (4xx)",
  server_error: "Failed (5xx)",
  canceled: "Canceled",
} as const;

const page = {
  what: "your usage",
  description: "What your requests cost and why, exactly as in your Wallet.",
  export: "Export",
  exportCsv: "CSV",
  exportJson: "JSON",
  empty: "No requests in this range.",
  never: "No usage yet.",
  last30: "Last 30 days",
  quickstart: "Open quickstart",
} as const;

const card = {
  spend: "Spend",
  requests: "Requests",
  input: "Input tokens",
  output: "Output tokens",
  cached: "Cached input tokens",
  errorRate: "Error rate",
  latency: "Latency p50 / p95",
  firstToken: "Time to first token",
  change: "{change} vs. previous",
  was: "previously {before}",
  nothingBefore: "no prior data",
  pair: "{first} / {second}",
} as const;

const tab = {
  label: "Views",
  spend: "Spend",
  tokens: "Tokens",
  performance: "Performance",
  errors: "Errors",
  spendhour: "Spend, USD per hour",
  spendday: "Spend, USD per day",
  tokenshour: "Tokens per hour",
  tokensday: "Tokens per day",
  latencyhour: "Latency of completed requests, per hour",
  latencyday: "Latency of completed requests, per day",
  input: "Input",
  output: "Output",
  p50: "p50",
  p95: "p95",
  firstToken: "First token, p50",
  tokensSummary: "{input} tokens in, {cached} of them cached; {output} out.",
  latencySummary: "p50 {p50}, p95 {p95}.",
} as const;

const errors = {
  caption: "Errors by code",
  code: "Code",
  meaning: "Meaning",
  count: "Count",
  share: "Share of errors",
  none: "No errors in this range.",
} as const;

const table = {
  title: "Breakdown",
  captionmodel: "Usage by model",
  captionkey: "Usage by key",
  captionproject: "Usage by project",
  captionprovider: "Usage by provider",
  model: "Model",
  key: "Key",
  project: "Project",
  provider: "Provider",
  spend: "Spend",
  share: "Share",
  trend: "Trend",
  requests: "Requests",
  input: "Input",
  output: "Output",
  cached: "Cached",
  errorRate: "Error rate",
  logs: "View logs",
  logsOf: "View logs of {name}",
} as const;

const limits = {
  title: "Near limit",
  description: "Keys at 80% or more of a spend limit",
} as const;

export const t = createTexts({ filter, status, page, card, tab, errors, table, limits });
