// Texts of the page of money at the operator's desk.
import { createTexts } from "../../lib/create-texts.ts";

const money = {
  what: "the report",
  title: "Revenue and cost",
  description: "Margin compares only calls whose cost the catalogue knows.",
  partial: "Calls before this are not added up yet:",
  caption: "Revenue and cost",
  none: "No calls in this time.",
  by: "By",
  byDay: "Day",
  byModel: "Model",
  byProvider: "Provider",
  byRoute: "Route",
  byAccount: "Account",
  order: "Largest",
  orderRevenue: "Revenue",
  orderCost: "Cost",
  orderShortfall: "Shortfall",
  orderCalls: "Calls",
  orderFree: "Free calls",
  orderRefused: "Refused calls",
  days: "Time",
  lastDays: "{days} days",
  revenue: "Revenue",
  cost: "Provider cost",
  margin: "Margin",
  shortfall: "Shortfall",
  free: "Free",
  refused: "Refused",
  failed: "Failed",
  calls: "Calls",
  percent: "{percent} %",
  total: "Total",
} as const;

const books = {
  what: "the state of the books",
  title: "Books",
  clean: "Clean at the last check,",
  wrong: "The last check found mistakes:",
  never: "Not checked yet.",
} as const;

const reversed = {
  what: "the top-ups",
  title: "Refunds and disputes",
  description: "Evidence for a dispute is sent in Stripe's dashboard, until the date shown here.",
  caption: "Top-ups that were refunded or disputed",
  none: "Nothing was refunded or disputed.",
  account: "Account",
  amount: "Paid",
  refunded: "Refunded",
  disputed: "Disputed",
  due: "Evidence due",
  payment: "Payment at Stripe",
  updated: "Changed",
} as const;

const owing = {
  what: "the accounts that owe money",
  title: "Accounts on credit",
  none: "No account has a credit limit or owes money.",
  total: "{amount} owed in total",
  account: "Account",
  balance: "Balance",
  limit: "Credit limit",
} as const;

const close = {
  what: "the month",
  title: "Close of a month",
  month: "Month (UTC)",
  running: "This month is not over.",
  opening: "Customer balances at its beginning",
  closing: "Customer balances at its end",
  revenue: "Usage revenue",
  shortfall: "Shortfall",
  download: "Download the journal",
  kind_top_up: "Top-ups",
  kind_usage: "Usage",
  kind_refund: "Refunds",
  kind_dispute: "Disputes",
  kind_adjustment: "Adjustments",
} as const;

export const t = createTexts({ money, books, owing, reversed, close });
