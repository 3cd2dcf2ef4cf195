// Texts of the landing page.
import { createTexts } from "../../lib/create-texts.ts";

const hero = {
  title: "One API key for every model. Pay only for what you use.",
  intro:
    "{product} is one OpenAI-compatible API in front of many AI models. Add funds, create a key, change the base URL. Every request shows what it cost.",
  start: "Create account",
  prices: "See models and prices",
  snippet: "Your first call",
} as const;

const point = {
  prepaid: "No surprise bills",
  prepaidBody:
    "The most a request can cost is reserved before it starts. You pay for what it used; spending never takes your balance below zero.",
  compatible: "The API you already use",
  compatibleBody:
    "Streaming, tools, and vision work with any OpenAI client. Just change the base URL and key.",
  exact: "Costs you can trace",
  exactBody:
    "Drill down from a month to a day to a single request: tokens times price, to the last digit. Set spend limits per key.",
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
  title: "Get your first answer in three minutes",
  steps: "Add funds, create a key, paste a snippet.",
  footer: "Footer",
} as const;

export const t = createTexts({ hero, point, models, end });
