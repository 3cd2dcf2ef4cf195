// Texts about the budget that refused a request.
import { createTexts } from "../../lib/create-texts.ts";

const budget = {
  account: "It is the budget of the account:",
  project: "It is the budget of the project {name}:",
  member: "It is the budget of {name}:",
  day: "{spent} of {limit} are spent today.",
  week: "{spent} of {limit} are spent this week.",
  month: "{spent} of {limit} are spent this month.",
  total: "{spent} of {limit} are spent.",
  resets: "It resets",
  never: "It never resets.",
  raise: "Raise the budget",
  view: "View the budget",
  gone: "That budget was removed since, or is another member's.",
  all: "View budgets",
} as const;

export const t = createTexts({ budget });
