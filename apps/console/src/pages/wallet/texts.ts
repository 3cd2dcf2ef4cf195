// Texts of the Wallet and of the page people come back to from the checkout.
import { createTexts } from "../../lib/create-texts.ts";

const balance = {
  title: "Balance",
  what: "your balance",
  held: "{amount} reserved for requests",
  credit: "Credit limit {limit}: your balance may go that far below zero.",
  how: "How is this calculated?",
  howSum: "All transactions below add up to {balance}.",
  howHeld:
    "{held} is reserved for requests in progress. Unused amounts are released within seconds.",
  howShown: "{balance} is this balance, rounded down to the cent.",
} as const;

const alert = {
  title: "Low-balance alert",
  level: "Email {email} below {amount}",
  none: "Off",
  change: "Change",
  set: "Set one",
} as const;

const add = {
  title: "Add funds",
  description: "Prepaid. No subscription, and nothing is charged automatically.",
  what: "the payment options",
  amount: "Amount",
  other: "Other",
  otherAmount: "Other amount",
  bounds: "From {min} to {max}.",
  missing: "Enter an amount.",
  wrong: "Enter an amount in dollars, such as 10 or 10.50.",
  small: "The minimum is {min}.",
  large: "The maximum is {max}.",
  pay: "You pay",
  receive: "You receive",
  submit: "Continue to payment",
  submitting: "Opening secure checkout…",
  secure: "Secure checkout by Stripe",
  sandbox: "This is a development server: the next page is a sandbox, and no real money moves.",
  off: "Funds cannot be added on this server yet.",
  offOperator: "Operators: set STRIPE_SECRET_KEY and restart.",
} as const;

const ledger = {
  title: "Transactions",
  what: "your transactions",
  caption: "Your transactions, newest first",
  empty: "No transactions yet. Add funds to start.",
  none: "No transactions match.",
  docs: "How billing works",
  type: "Type",
  all: "All types",
  from: "From",
  to: "To",
  csv: "Download CSV",
  csvBusy: "Preparing…",
  csvFailed: "The file could not be created. Try again.",
  date: "Date",
  description: "Description",
  amount: "Amount",
  after: "Balance after",
  pending: "Pending",
  receipt: "Receipt",
  receiptOf: "Receipt of {date}, opens in a new tab",
  running: "Running",
  days: "Times are in {zone}.",
  newest: "Newest",
  pages: "Pages of transactions",
} as const;

const type = {
  top_up: "Top-up",
  usage: "Usage",
  refund: "Refund",
  dispute: "Dispute",
  adjustment: "Adjustment",
} as const;

const description = {
  topUp: "Payment",
  pendingTopUp: "Payment pending",
  usage: "API usage",
  hour: { one: "{key} · {from}–{to} · {calls} call", other: "{key} · {from}–{to} · {calls} calls" },
  playground: "Playground",
  refund: "Refunded to your card",
  refundBack: "Refund reversed",
  dispute: "Payment disputed with the bank",
  disputeBack: "Dispute resolved, funds returned",
  adjustment: "Adjustment",
} as const;

const arrival = {
  what: "this top-up",
  confirming: "Confirming your payment…",
  confirmingBody: "You can close this page. We'll email you.",
  still: "Still confirming",
  stillBody: "If you were charged, your funds will be added automatically.",
  help: "Need help? Contact {email} with this reference.",
  reference: "Reference {id}",
  copyReference: "Copy reference",
  paid: "{amount} added. Your balance is {balance}.",
  receipt: "View receipt",
  createKey: "Create API Key",
  nextKey: "Next, create an API key to call the API.",
  canceling: "Canceling the payment…",
  canceled: "Payment canceled. You were not charged.",
  failed: "Payment failed: {reason} You were not charged.",
  failedPlain: "Payment failed. You were not charged.",
  expired: "This payment was not completed in time. You were not charged.",
  processing: "Processing",
  processingBody: "Bank payments can take up to 5 days.",
  amount: "{amount} top-up",
  again: "Try again",
  toWallet: "Back to Wallet",
  cancelFailed:
    "The payment could not be canceled just now. If you did not pay, you are not charged.",
} as const;

export const t = createTexts({ balance, alert, add, ledger, type, description, arrival });
