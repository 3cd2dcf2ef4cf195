// Texts of guardrails: the rules of an account, a project or a key.
import { createTexts } from "../../../lib/create-texts.ts";

const card = {
  what: "the guardrails",
  account: "Guardrail of the account",
  project: "Guardrail of the project {name}",
  key: "Guardrail",
  accountHint: "Which calls may be made with any key and in the playground.",
  projectHint: "Which calls the keys of this project may make, within the rules of the account.",
  keyHint: "Which calls this key may make, within the rules of its project and account.",
  none: "No rules: every call is allowed.",
  set: "Set rules",
  change: "Change rules",
  remove: "Remove all rules",
  removing: "Removing…",
  removeTitle: "Remove all rules?",
  removeBody: "From then on every call is allowed that no other guardrail refuses.",
  removed: "Rules removed",
} as const;

const rule = {
  models: "Models: {names}",
  providers: "Providers: {names}",
  input: "At most {usd} per million input tokens",
  output: "At most {usd} per million output tokens",
  call: "At most {usd} for one call",
  training: "Only providers that do not train on prompts",
  retention: "Only providers that do not keep prompts",
  addresses: "Addresses: {names}",
  hours: "{days}, {from} to {until} ({timeZone})",
  nothing: "none",
} as const;

const day = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
} as const;

const form = {
  title: "Rules",
  models: "Allowed models",
  modelsHint:
    "One per line; anthropic/* stands for all that begin with anthropic/. Empty allows all.",
  providers: "Allowed providers",
  providersHint: "One per line. Empty allows all.",
  input: "Input per million tokens, at most",
  output: "Output per million tokens, at most",
  call: "Cost of one call, at most",
  training: "Only providers that do not train on prompts",
  retention: "Only providers that do not keep prompts",
  unknownHint: "Providers whose policy is not known are excluded.",
  addresses: "Allowed addresses",
  addressesHint: "One address or network per line, such as 203.0.113.0/24. Empty allows all.",
  days: "Days",
  from: "From",
  until: "Until",
  hoursHint: "In the time zone of the account. Without a day, calls are allowed at any time.",
  amountWrong: "Write an amount like 0.5.",
  nameWrong: "A wildcard is only possible at the end of a name.",
  timeWrong: "Write a time like 08:00.",
  nothing: "Set at least one rule.",
  save: "Save rules",
  saving: "Saving…",
  saved: "Rules saved",
} as const;

export const t = createTexts({ card, rule, day, form });
