// Texts of the operator's desk.
import { createTexts } from "../../lib/create-texts.ts";

const nav = {
  label: "Operator's desk",
  find: "Find",
  models: "Models and routes",
  catalog: "Catalog",
  incidents: "Incidents",
  money: "Money",
  system: "System",
} as const;

const find = {
  label: "Find an account, a key, a call or a payment",
  hint: "An email address, a name, a key or its last four characters, a request or generation id, an id of Stripe, an amount.",
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
  key: "API key",
  call: "Request",
  top_up: "Top-up",
  movement: "Movement of money",
  event: "Event of Stripe",
} as const;

const account = {
  what: "the account",
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
  suspend: "Suspend",
  suspendTitle: "Suspend {name}?",
  suspendBody: "All its keys are refused. Running calls finish; its money stays.",
  resume: "Resume",
  resumeTitle: "Resume {name}?",
  resumeBody: "Its keys are accepted again.",
} as const;

const view = {
  open: "View as a viewer",
  title: "View the pages of {name}?",
  body: "For 15 minutes and read-only, as its viewers see them. Its members see that support is viewing the account. Until you end the view, you cannot change your own profile or sign-in.",
  confirm: "View",
} as const;

const members = {
  title: "Members",
  caption: "Members of the account",
  email: "Email",
  role: "Role",
  joined: "Joined",
  menu: "Actions for {email}",
} as const;

const person = {
  endSessions: "End sessions",
  endSessionsTitle: "Sign {email} out everywhere?",
  endSessionsBody: "All their sessions end at once. They can sign in again.",
  sendReset: "Send a password reset",
  sendResetTitle: "Send {email} a password reset?",
  sendResetBody: "The link works for 30 minutes; their password stays until they use it.",
  resendVerification: "Send the verification again",
  resendVerificationTitle: "Send {email} the verification again?",
  resendVerificationBody: "Earlier links stop working.",
} as const;

const keys = {
  title: "API keys",
  what: "the keys",
  caption: "API keys of the account",
  none: "No keys yet.",
  key: "Key",
  name: "Name",
  state: "State",
  spent: "Spent",
  used: "Last used",
  revoke: "Revoke",
  revokeTitle: "Revoke {masked}?",
  revokeBody: "It is refused everywhere within a second, for good.",
  revokeAll: "Revoke all",
  revokeAllTitle: "Revoke all keys of {name}?",
  revokeAllBody: "They are refused everywhere within a second, for good.",
} as const;

const topUps = {
  title: "Top-ups",
  what: "the top-ups",
  caption: "Payments of the account",
  none: "Nothing was paid yet.",
  at: "When",
  paid: "Amount",
  state: "State",
  reversed: "Taken back",
  payment: "Payment",
  receipt: "Receipt",
  open: "Open",
  recheck: "Check with Stripe",
  recheckTitle: "Check the top-up of {amount} with Stripe?",
  recheckBody: "A payment that Stripe has and that agrees with the order is credited, once.",
  refund: "Refund",
  refundTitle: "Refund the top-up of {amount}?",
  refundBody: "Through Stripe, to the card. {credited} was credited, {reversed} taken back so far.",
  amount: "Amount in USD",
  amountHint: "Empty refunds everything that is left. At most what the account still has.",
} as const;

const adjust = {
  open: "Adjust",
  title: "Adjust the balance of {name}",
  body: "Adds money that nobody paid, or takes it with a minus sign.",
  amount: "Amount in USD",
  hint: "Such as 10 or -2.50. A debit takes at most what is available.",
  confirm: "Adjust",
} as const;

const credit = {
  limit: "Credit limit",
  open: "Credit limit",
  title: "Credit limit of {name}",
  body: "Its requests continue when its balance is used up, and the balance goes below zero by at most this amount.",
  amount: "Amount in USD",
  hint: "0 ends the credit. It cannot be less than what the account owes.",
  confirm: "Set limit",
} as const;

const limits = {
  open: "Limits",
  title: "Limits of {name}",
  body: "Of all its calls together. An empty field removes a limit.",
  requestsPerMinute: "Requests per minute",
  tokensPerMinute: "Tokens per minute",
  concurrency: "Concurrent requests",
  none: "Unlimited",
  confirm: "Set limits",
} as const;

const notes = {
  card: "Notes",
  what: "the notes",
  none: "No notes yet.",
  add: "Add a note",
  title: "A note about {name}",
  body: "For your colleagues.",
  hint: "The account never sees notes.",
  confirm: "Add the note",
} as const;

const leases = {
  title: "Open leases",
  what: "the leases",
  caption: "Money that instances have reserved for calls of the account",
  none: "Nothing is reserved now.",
  hour: "Hour",
  instance: "Instance",
  calls: "Calls",
  spent: "Spent",
  held: "Held",
} as const;

const timeline = {
  title: "Timeline",
  whole: "the timeline",
  caption: "What happened in the account",
  none: "Nothing happened yet.",
  filter: "Show",
  all: "Everything",
  call: "Calls",
  money: "Money",
  session: "Sign-ins",
  mail: "Mails",
  audit: "Audit log",
  at: "When",
  kind: "Kind",
  what: "What",
  detail: "Detail",
  amount: "Amount",
  more: "Show older",
} as const;

const request = {
  what: "the request",
  title: "Why was this charged?",
  charged: "Charged",
  cost: "Cost of its tokens",
  held: "Held before it began",
  shortfall: "Cost above the hold, not charged",
  operatorCost: "Cost to you",
  ending: "What ended it",
  model: "Model",
  route: "Route",
  tokens: "Tokens",
  tokensText: "{prompt} in, {completion} out, by {source}",
  price: "Version of the price",
  priceSince: "Price since",
  at: "Began",
  endedAt: "Ended",
  key: "Key",
  playground: "Playground",
  lease: "Lease",
  requestId: "Request id",
  generationId: "Generation id",
  bill: "Bill",
  billCaption: "Tokens times price",
  free: "Nothing was charged for tokens.",
  line: "Line",
  lineTokens: "Tokens",
  rate: "Per million",
  lineCost: "Cost",
  attempts: "Attempts",
  noAttempts: "No provider was called.",
  page: "Request",
  firstByte: "first byte after {time}",
} as const;

const reason = {
  label: "Reason",
  hint: "The account reads it in its audit log.",
  missing: "Give a reason.",
  pending: "Working…",
  done: "Done.",
} as const;

export const t = createTexts({
  nav,
  find,
  kind,
  account,
  members,
  person,
  keys,
  topUps,
  adjust,
  credit,
  limits,
  view,
  notes,
  leases,
  timeline,
  request,
  reason,
});
