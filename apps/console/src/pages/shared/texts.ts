// Texts of what several areas show.
import { createTexts } from "../../lib/create-texts.ts";

const range = {
  label: "Range",
  today: "Today",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  month: "Month to date",
  custom: "Custom",
  from: "From",
  to: "To",
  exact: "{from} to {to}",
} as const;

const filter = {
  one: "{label}: {value}",
  many: "{label}: {count}",
  none: "No options",
  sheet: "Filters",
  sheetCount: "Filters ({count})",
  done: "Done",
} as const;

const spend = {
  total: "Spend is {total}; {names}",
  rose: "Spend up {change} to {total} ({names})",
  fell: "Spend down {change} to {total} ({names})",
  same: "Spend unchanged at {total} ({names})",
  model: { one: "{count} model", other: "{count} models" },
  key: { one: "{count} key", other: "{count} keys" },
  project: { one: "{count} project", other: "{count} projects" },
  provider: { one: "{count} provider", other: "{count} providers" },
} as const;

const keySpend = {
  day: "{spent} of {limit} today",
  week: "{spent} of {limit} this week",
  month: "{spent} of {limit} this month",
  total: "{spent} of {limit}",
  unlimited: "{spent} in total",
} as const;

const project = {
  filter: "Projects",
  archived: "{name} (archived)",
} as const;

const request = {
  canceled: "Canceled",
} as const;

const data = {
  covered:
    "There are more requests than one page adds up. Sums and charts here cover those since {time}; the Wallet has every charge.",
  updated: "Updated {ago}",
} as const;

const runway = {
  days: {
    one: "About {count} day left at your 7-day average",
    other: "About {count} days left at your 7-day average",
  },
  long: "More than a year left at your 7-day average",
  short: "Less than a day left at your 7-day average",
} as const;

export const t = createTexts({ range, filter, spend, keySpend, project, request, data, runway });
