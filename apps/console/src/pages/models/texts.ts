// Texts of the model list, of one model, and of the calculator.
import { createTexts } from "../../lib/create-texts.ts";

const list = {
  description: "Prices are in US dollars per one million tokens.",
  tick: "Select models to compare them side by side.",
  what: "the models",
  caption: "Models and their prices per one million tokens",
  empty: "No models are enabled.",
  none: "No models match.",
  count: { one: "{count} model", other: "{count} models" },
  search: "Search by name, id or provider",
  provider: "Provider",
  allProviders: "All providers",
  capability: "Capabilities",
  context: "Context",
  anyContext: "Any context",
  contextFrom: "At least {tokens}",
  price: "Input price",
  anyPrice: "Any price",
  free: "Free",
  priceTo: "Up to {price}",
  sort: "Sort",
  model: "Model",
  copyId: "Copy model id",
  output: "Max output",
  inputPrice: "Input",
  cachedPrice: "Cached",
  outputPrice: "Output",
  can: "Capabilities",
} as const;

const sort = {
  catalog: "Recommended",
  name: "Name",
  input: "Input price",
  output: "Output price",
  context: "Context",
  newest: "Newest",
} as const;

const capability = {
  tools: "Tools",
  vision: "Vision",
  json_schema: "JSON schema",
  reasoning: "Reasoning",
  files: "Files",
  caching: "Caching",
  embeddings: "Embeddings",
} as const;

const compare = {
  add: "Compare {name}",
  short: "Compare",
  chosen: { one: "{count} model selected", other: "{count} models selected" },
  full: "Compare up to {most} at a time",
  open: "Compare side by side",
  clear: "Clear",
  title: "Compare models",
  caption: "The selected models side by side",
  property: "Property",
  remove: "Remove {name}",
  yes: "Yes",
  no: "No",
} as const;

const detail = {
  what: "this model",
  back: "All models",
  missing: "This model is not available.",
  try: "Try in Playground",
  prices: "Prices",
  since: "Per 1M tokens, since {date}",
  kind: "Kind of token",
  rate: "Price per 1M",
  standard: "Standard",
  flex: "Flex",
  scale: "Scale",
  priority: "Priority",
  fast: "Fast",
  input: "Input",
  cachedInput: "Cached input",
  cacheWrite: "Cache write",
  cacheWrite1h: "Cache write, 1 hour",
  audioInput: "Audio input",
  audioOutput: "Audio output",
  webSearch: "Web search, per 1,000",
  outputTokens: "Output",
  facts: "Limits",
  context: "Context window",
  maxOutput: "Max output",
  tokens: "{count} tokens",
  added: "Available since",
  provider: "Provider",
  parameters: "Supported parameters",
  history: "Price history",
  historyCaption: "Prices per one million tokens, newest first",
  historyNote: "Each request is billed at the price in effect when it started.",
  from: "Since",
  snippet: "First call",
} as const;

const calculator = {
  title: "Cost calculator",
  input: "Input tokens",
  cached: "Of these, cached",
  output: "Output tokens",
  wrong: "Enter a whole number.",
  tooMany: "Cannot exceed the input tokens.",
  perCall: "Per request",
  perThousand: "Per 1,000 requests",
} as const;

export const t = createTexts({ list, sort, capability, compare, detail, calculator });
