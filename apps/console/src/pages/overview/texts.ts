// Texts of Overview.
import { createTexts } from "../../lib/create-texts.ts";

const start = {
  title: "Get started",
  welcome: "Welcome. Three steps to your first answer.",
  done: "You're all set.",
  dismiss: "Dismiss",
  steps: "Steps to your first answer",
  isDone: "Done",
  funds: "Add funds",
  fundsBody: "Prepaid. No subscription.",
  fundsDone: "Your balance is {balance}.",
  key: "Create an API key",
  keyBody: "Your program sends it with every request.",
  keyDone: "You have a key.",
  keyAction: "Create API Key",
  request: "Send your first request",
  requestBody: "Replace $API_KEY with your key and run it.",
  snippet: "First request",
  waiting: "Waiting for your first request…",
  failed: "Your request arrived and failed: {status}, {code}",
  tryAgain: "You can leave this page open: your next request appears here automatically.",
  models: "Browse models",
  keys: "Check your API keys",
  received: {
    one: "Received: {model}, {tokens} token, {cost}",
    other: "Received: {model}, {tokens} tokens, {cost}",
  },
  showSteps: "Show steps",
  hideSteps: "Hide steps",
  viewLog: "View log",
} as const;

const card = {
  what: "your overview",
  balance: "Balance",
  addFunds: "Add funds",
  today: "Spend today",
  zone: "In {zone}",
  month: "This month",
  lastMonth: "{amount} last month",
  requests: "Requests today",
  requestsNote: "{count} in the last 30 days",
  errors: "Error rate",
  latency: "Median latency",
  days: "Last 30 days",
} as const;

const list = {
  chart: "Spend, USD per day",
  topKeys: "Top keys, last 30 days",
  noKeys: "No spend in the last 30 days.",
  allKeys: "All keys",
  last: "Last requests",
  allLogs: "All logs",
  key: "Key",
  spend: "Spend",
  requests: "Requests",
  time: "Time",
  status: "Status",
  model: "Model",
  tokens: "Tokens",
  cost: "Cost",
} as const;

export const t = createTexts({ start, card, list });
