// Money in: top-ups by card, their refunds and disputes, and the low-balance alert.
export { alertLowBalance, setLowBalanceAlert } from "./alerts/alert-low-balance.ts";
export {
  alertUnusualSpend,
  queryTellsUnusualSpend,
  setTellsUnusualSpend,
} from "./alerts/alert-unusual-spend.ts";
export {
  type AutoTopUp,
  queryAutoTopUp,
  removeSavedCard,
  setAutoTopUp,
} from "./automatic/auto-top-up.ts";
export { topUpAutomatically } from "./automatic/top-up-automatically.ts";
export {
  type Billing,
  type BillingOptions,
  createBilling,
  type TopUpBounds,
  type TopUpMode,
} from "./billing.ts";
export { queryCompany, setCompany } from "./company-details.ts";
export { type EventFacts, stripeQueue } from "./inbox/inbox-queue.ts";
export { receiveEvent } from "./inbox/receive-event.ts";
export { openInboxWorker, type Worked, workInbox } from "./inbox/work-inbox.ts";
export { findUnpaidCredits } from "./reconciliation/find-unpaid-credits.ts";
export {
  type RecheckedTopUp,
  recheckTopUp,
  recheckTopUps,
} from "./reconciliation/recheck-top-up.ts";
export { type Reconciled, reconcile } from "./reconciliation/reconcile.ts";
export { refundTopUp, type TopUpRefund } from "./refund/refund-top-up.ts";
export { checkStripe, type StripeCheck } from "./stripe/check-stripe.ts";
export { followEmailOf } from "./stripe/ensure-customer.ts";
export type { StripeOptions } from "./stripe/stripe.ts";
export { cancelTopUp } from "./top-up/cancel-top-up.ts";
export { createTopUp, type StartedTopUp, type TopUpAttempt } from "./top-up/create-top-up.ts";
export { queryTopUp, type TopUp } from "./top-up/query-top-up.ts";
export {
  declineSandboxTopUp,
  paySandboxTopUp,
  requireSandboxOrder,
} from "./top-up/sandbox-top-up.ts";
