// Texts of the budgets.
import { createTexts } from "../../lib/create-texts.ts";

const list = {
  description:
    "What the account, its projects, members and API keys may spend. A hard budget refuses calls beyond it; a soft one only tells of them.",
  mails:
    "At 50, 80 and 100% an email goes to those who manage budgets and to the member or the maker of the key it binds.",
  bound: "These are the budgets that bind you and your API keys.",
  set: "Set budget",
  what: "the budgets",
  caption: "Budgets",
  none: "No budgets yet. Spending is only limited by the balance.",
  noneOfKind: "No budgets of this kind.",
  filter: "Kind",
  all: "All kinds",
  of: "Budget of",
  limit: "Limit",
  spent: "Spent",
  effect: "At the limit",
  resets: "Resets",
  actions: "Actions for the budget of {name}",
  change: "Change",
  remove: "Remove",
  docs: "How budgets work",
} as const;

const kind = {
  account: "Account",
  project: "Project",
  member: "Member",
  key: "API key",
} as const;

const period = {
  day: "{limit} per day",
  week: "{limit} per week",
  month: "{limit} per month",
  total: "{limit} in total",
} as const;

const spent = {
  of: "{spent} of {limit}",
  held: "{held} held by running requests",
} as const;

const effect = {
  hard: "Refuses calls",
  soft: "Only tells",
  reached: "Reached",
} as const;

const set = {
  title: "Set budget",
  changeTitle: "Change the budget of {name}",
  kind: "For",
  account: "The account",
  project: "A project",
  member: "A member",
  key: "An API key",
  subject: "Which one",
  subjectMissing: "Choose one.",
  amount: "Amount",
  amountMissing: "Enter an amount.",
  amountWrong: "Enter an amount such as 10 or 10.50.",
  period: "Per",
  day: "day",
  week: "week, from Monday",
  month: "month",
  total: "in total",
  effect: "At the limit",
  hard: "Refuse calls",
  hardHint: "Hard: with 402 budget_reached, until it resets or is raised",
  soft: "Only tell",
  softHint: "Soft: calls are still answered",
  keyHint: "A budget of a key is its spend limit: it refuses calls.",
  replaces: "A budget of the same subject and period is replaced.",
  submit: "Set budget",
  done: "The budget of {name} is set",
} as const;

const remove = {
  title: "Remove the budget of {name}?",
  body: "Spending is then no longer limited to {limit}. What was spent is kept.",
  confirm: "Remove budget",
  pending: "Removing…",
  done: "The budget of {name} is removed",
} as const;

const zone = {
  title: "Time zone",
  description: "Days, weeks and months of budgets begin at midnight there.",
  label: "Time zone of the account",
} as const;

export const t = createTexts({ list, kind, period, spent, effect, set, remove, zone });
