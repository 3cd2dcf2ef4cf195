// The words of the model list, of one model, and of the calculator.
import { createTexts } from "../../lib/create-texts.ts";

const list = {
  description: "Prices are in US dollars per one million tokens.",
  tick: "Tick models to compare them side by side.",
  what: "the models",
  caption: "Models and their prices per one million tokens",
  empty: "No models are enabled.",
  none: "No model matches.",
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
} as const;

const compare = {
  add: "Compare {name}",
  short: "Compare",
  chosen: { one: "{count} model chosen", other: "{count} models chosen" },
  full: "Compare up to {most} at a time",
  open: "Compare side by side",
  clear: "Clear",
  title: "Compare models",
  caption: "The chosen models side by side",
  property: "Property",
  remove: "Remove {name}",
  yes: "Yes",
  no: "No",
} as const;

const detail = {
  what: "this model",
  back: "All models",
  missing: "This model is not offered.",
  try: "Try in Playground",
  prices: "Prices",
  since: "Per 1M tokens, since {date}",
  kind: "Kind of token",
  rate: "Price per 1M",
  input: "Input",
  cachedInput: "Cached input",
  cacheWrite: "Cache write",
  outputTokens: "Output",
  facts: "Limits",
  context: "Context window",
  maxOutput: "Longest answer",
  tokens: "{count} tokens",
  added: "Offered since",
  provider: "Provider",
  parameters: "Supported parameters",
  history: "Price history",
  historyCaption: "Prices per one million tokens, newest first",
  historyNote: "Each call is billed at the price of the moment it began.",
  from: "Since",
  snippet: "First call",
} as const;

const calculator = {
  title: "Cost calculator",
  input: "Input tokens",
  cached: "Of these, cached",
  output: "Output tokens",
  wrong: "Enter a whole number.",
  tooMany: "Not more than the input.",
  perCall: "Per request",
  perThousand: "Per 1,000 requests",
} as const;

export const t = createTexts({ list, sort, capability, compare, detail, calculator });
