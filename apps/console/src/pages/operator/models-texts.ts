// Texts of the page of models and routes at the operator's desk.
import { createTexts } from "../../lib/create-texts.ts";

const models = {
  what: "the models",
  title: "Models and routes",
  description: "Catalogue {version}. Errors, first token and margin are of the last 7 days.",
  caption: "Routes of all models",
  none: "The catalogue has no models with credentials.",
  model: "Model",
  route: "Route",
  state: "State",
  errors: "Errors",
  firstToken: "First token, p50 / p95",
  speed: "Tokens/s",
  price: "Price in / out",
  margin: "Margin",
  offered: "Offered",
  off: "Switched off",
  broken: "Failing, not called",
  refused: "Key refused",
  belowCost: "Below cost",
  unknown: "—",
  seconds: "{seconds} s",
  actions: "Switch {name}",
  routeOff: "Switch this route off",
  providerOff: "Switch all of {provider} off",
  modelOff: "Switch {model} off everywhere",
  hidden: "Not offered",
  hiddenDescription: "Models and routes of the file that cannot be called, and why.",
  hiddenCaption: "Models that are not offered",
  reason: "Why",
} as const;

const switches = {
  title: "Switched off",
  description: "No instance calls these. Calls that had begun went on.",
  caption: "What is switched off",
  what: "Switched off",
  everything: "Everything, for maintenance",
  by: "By",
  since: "Since",
  message: "Callers read",
  on: "Switch on",
  onTitle: "Switch {name} on again?",
  onBody: "Every instance calls it again within a second.",
  offTitle: "Switch {name} off?",
  offBody: "Every instance follows within a second. Calls that have begun go on.",
  offSubmit: "Switch off",
  reasonHint: "Operators read it in their log.",
  messageLabel: "What callers read (optional)",
  messageHint: "Without it they read that it is switched off at the moment.",
} as const;

const maintenance = {
  title: "Maintenance",
  none: "Calls are accepted.",
  since: "Calls are refused since",
  start: "Refuse calls",
  startTitle: "Refuse all calls?",
  startBody:
    "New calls get 503 with Retry-After from every instance within a second. Calls that have begun go on.",
  end: "Accept calls",
  endTitle: "Accept calls again?",
  endBody: "Every instance accepts calls within a second.",
} as const;

export const t = createTexts({ models, switches, maintenance });
