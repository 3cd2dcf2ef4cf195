// Texts of the logs.
import { createTexts } from "../../lib/create-texts.ts";

const page = {
  what: "your requests",
  description:
    "Every request, its outcome and its cost. If very many are refused, some of those are omitted.",
  caption: "Requests, newest first",
  empty: "No requests yet.",
  none: "No requests match.",
  noneInRange: "No requests in this range.",
  last30: "Last 30 days",
  snippet: "Your first call",
  live: "Live",
  fresh: { one: "{count} new", other: "{count} new" },
  more: "{count}+ new",
  paused: "Paused",
  pages: "Pages of requests",
} as const;

const histogram = {
  title: "Requests over time",
  ok: "Succeeded",
  failed: "Failed or canceled",
  noneFailed: {
    one: "{all} request, which succeeded.",
    other: "{all} requests, none failed.",
  },
  allFailed: {
    one: "{all} request, which failed or was canceled.",
    other: "{all} requests, all of them failed or were canceled.",
  },
  someFailed: {
    one: "{all} requests, {failed} of them failed or was canceled.",
    other: "{all} requests, {failed} of them failed or were canceled.",
  },
} as const;

const filter = {
  status: "Status",
  anyStatus: "Any status",
  "2xx": "2xx, succeeded",
  "4xx": "4xx (rejected)",
  "5xx": "5xx, failed",
  canceled: "Canceled",
  operation: "Operation",
  anyOperation: "Any operation",
  keys: "Keys",
  models: "Models",
  request: "Find a request id",
  more: "More filters",
  code: "Error code",
  minCost: "Minimum cost, USD",
  minCostWrong: "Enter an amount such as 0.10.",
  minLatency: "Minimum duration, ms",
  minLatencyWrong: "Enter a whole number of milliseconds.",
  provider: "Provider: {name}",
  playground: "Playground only",
  api: "API only",
  remove: "Remove the filter {name}",
} as const;

const operation = {
  chat: "Chat completion",
  embeddings: "Embeddings",
} as const;

const column = {
  time: "Time",
  status: "Status",
  model: "Model",
  key: "Key",
  tokens: "Tokens in / out",
  cost: "Cost",
  latency: "First token / total",
  flags: "Flags",
  pair: "{first} / {second}",
  playground: "Playground",
  filterBy: "Filter by {value}",
} as const;

const flag = {
  stream: "stream",
  cached: "cached",
  fromCache: "from cache",
  embeddings: "embeddings",
} as const;

const sheet = {
  title: "Request",
  what: "this request",
  missing: "Request not found. Check the ID, or sign in to a different account.",
  copyId: "Copy id",
  copyCurl: "Copy as curl",
  playground: "Open in Playground",
  byKey: "Filter by this key",
  byModel: "Filter by this model",
  summary: "Summary",
  model: "Model",
  provider: "Provider",
  operation: "Operation",
  key: "Key",
  at: "Received",
  tokens: "Tokens",
  tokensText: "{input} in, {output} out",
  cached: "Cached input",
  reasoning: "Reasoning",
  serviceTier: "Service tier",
  ignored: "Not supported, ignored",
  cachedFrom: "Response cache, billed as",
  source: "Counted by",
  upstream: "the provider",
  counted: "us, because the provider did not report it",
  estimated: "estimate: the maximum it can have been",
  finish: "Finish reason",
  finishNative: "{reason} (provider: {native})",
  streamed: "Streamed",
  yes: "Yes",
  no: "No",
  maxTokens: "Output limit",
  maxTokensText: "{count} tokens (reduced to fit your balance)",
  userAgent: "Client",
  requestId: "Request id",
  chatId: "Completion id",
  price: "Price version",
  receipt: "Signed receipt",
  signing: "Signing…",
  content:
    "Prompts and answers are not stored, unless the project has that switched on. Items of /v1/responses and answers to calls with an Idempotency-Key are stored for 24 hours.",
} as const;

const prompt = {
  title: "Prompt and answer",
  show: "Show prompt and answer",
  loading: "Loading…",
  none: "Nothing is stored of this request: it asked for that, or storing was off, or the time is over.",
  request: "Prompt",
  answer: "Answer",
  noAnswer: "There was no answer.",
  copyRequest: "Copy prompt",
  copyAnswer: "Copy answer",
  cut: "It was longer than what is stored.",
  redacted: "Replaced before it was stored: {kinds}.",
  kind: "{count} × {kind}",
  deleted: "To be deleted:",
  on: {
    one: "Prompts and answers of {names} are stored. Owners and admins see all of them, developers those of their own keys.",
    other:
      "Prompts and answers of the projects {names} are stored. Owners and admins see all of them, developers those of their own keys.",
  },
} as const;

const cost = {
  title: "Cost",
  tokens: "{count} × {price}",
  charged: "Charged",
  free: "Nothing was charged.",
  shortfall: "{amount} over the reserved amount was waived.",
} as const;

const timeline = {
  title: "Timeline",
  received: "Received",
  overhead: "Gateway overhead {time}",
  attempt: "{provider}, attempt {number}",
  answered: "Answered {status}",
  failed: "Failed with {status}",
  unreachable: "No response",
  firstByte: "first byte after {time}",
  firstToken: "First token",
  end: "Ended",
} as const;

const error = {
  title: "What went wrong",
  status: "Status {status}, {code}",
  said: "The API answered:",
  raiseLimit: "Raise limit",
  addFunds: "Add funds",
  raw: "Raw record",
} as const;

export const t = createTexts({
  page,
  histogram,
  filter,
  operation,
  column,
  flag,
  sheet,
  prompt,
  cost,
  timeline,
  error,
});
