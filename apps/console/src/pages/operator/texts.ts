// Texts of the operator's desk.
import { createTexts } from "../../lib/create-texts.ts";

const nav = {
  label: "Operator's desk",
  find: "Find",
} as const;

const find = {
  label: "Find an account, a key, a call or a payment",
  hint: "An e-mail address, a name, a key or its last four characters, a request or generation id, an id of Stripe, an amount.",
  submit: "Find",
  what: "what you look for",
  none: "Nothing was found for “{text}”.",
  caption: "What was found",
  found: "Found",
  kind: "Kind",
  detail: "Detail",
} as const;

const kind = {
  account: "Account",
} as const;

const account = {
  what: "the account",
  money: "Money",
  balance: "Balance",
  held: "Held by running calls",
  available: "Available",
  credited: "Paid in, less what was taken back",
  state: "State",
  active: "Active",
  suspended: "Suspended",
  frozen: "Frozen",
  closed: "Closed",
  id: "Account id",
  slug: "Slug",
  created: "Created",
  customer: "Stripe customer",
  members: "Members",
  membersCaption: "Members of the account",
  email: "E-mail",
  role: "Role",
  joined: "Joined",
  suspend: "Suspend",
  suspendTitle: "Suspend {name}?",
  suspendBody: "All its keys are refused. Running calls finish; its money stays.",
  resume: "Resume",
  resumeTitle: "Resume {name}?",
  resumeBody: "Its keys are accepted again.",
} as const;

const reason = {
  label: "Reason",
  hint: "The account reads it in its audit log.",
  missing: "Give a reason.",
  pending: "Working…",
  done: "Done.",
} as const;

export const t = createTexts({ nav, find, kind, account, reason });
