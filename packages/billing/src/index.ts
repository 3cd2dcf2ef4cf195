// Money in: top-ups by card, their refunds and disputes, and the low-balance alert.
export { alertLowBalance, setLowBalanceAlert } from "./alert-low-balance.ts";
export {
  alertUnusualSpend,
  readTellsUnusualSpend,
  setTellsUnusualSpend,
} from "./alert-unusual-spend.ts";
export {
  type AutoTopUp,
  readAutoTopUp,
  removeSavedCard,
  setAutoTopUp,
} from "./auto-top-up.ts";
export {
  type Billing,
  type BillingOptions,
  openBilling,
  type TopUpBounds,
  type TopUpMode,
} from "./billing.ts";
export { cancelTopUp } from "./cancel-top-up.ts";
export { checkStripe, type StripeCheck } from "./check-stripe.ts";
export { readCompany, setCompany } from "./company-details.ts";
export { createTopUp, type StartedTopUp, type TopUpAttempt } from "./create-top-up.ts";
export { followEmailOf } from "./ensure-customer.ts";
export { findUnpaidCredits } from "./find-unpaid-credits.ts";
export { type EventFacts, stripeQueue } from "./inbox-queue.ts";
export { readTopUp, type TopUp } from "./read-top-up.ts";
export { receiveEvent } from "./receive-event.ts";
export { type RecheckedTopUp, recheckTopUp, recheckTopUps } from "./recheck-top-up.ts";
export { type Reconciled, reconcile } from "./reconcile.ts";
export { refundTopUp, type TopUpRefund } from "./refund-top-up.ts";
export { declineSandboxTopUp, paySandboxTopUp, requireSandboxOrder } from "./sandbox-top-up.ts";
export type { StripeOptions } from "./stripe.ts";
export { topUpAutomatically } from "./top-up-automatically.ts";
export { openInboxWorker, type Worked, workInbox } from "./work-inbox.ts";
