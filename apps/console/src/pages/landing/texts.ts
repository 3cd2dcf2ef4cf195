// The words of the landing page.
import { createTexts } from "../../lib/create-texts.ts";

const hero = {
  title: "One key. Every model. To the exact cent.",
  intro:
    "{product} is one OpenAI-compatible API in front of many AI models. Add funds, create a key, change the base URL. Every request shows what it cost.",
  start: "Create account",
  prices: "See models and prices",
  snippet: "Your first call",
} as const;

const point = {
  prepaid: "Prepaid, so nothing runs away",
  prepaidBody:
    "The most a call can cost is held before it starts. You pay what it used; a balance never goes below zero by spending.",
  compatible: "The API you already speak",
  compatibleBody:
    "Streaming, tools and vision as your OpenAI client sends them. Change the base URL and the key; nothing else.",
  exact: "Costs you can trace",
  exactBody:
    "From a month to a day to one request to its lines: tokens times price, to the last digit. Limits per key, in money.",
} as const;

const models = {
  title: "Models and prices",
  description: "Per one million tokens, in US dollars.",
  caption: "Models and their prices per one million tokens",
  model: "Model",
  context: "Context",
  input: "Input",
  output: "Output",
  all: { one: "See {count} model", other: "See all {count} models" },
  compare: "Search and compare models",
  none: "No models are enabled.",
  what: "the models",
} as const;

const end = {
  title: "From here to your first answer in three minutes",
  steps: "Add funds, create a key, paste a snippet.",
  footer: "Footer",
} as const;

export const t = createTexts({ hero, point, models, end });
