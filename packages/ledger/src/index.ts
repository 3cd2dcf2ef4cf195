// The ledger: holds, charges, movements of money and the checker of the books.
export { type CallFacts, openCallFacts } from "./call-facts.ts";
export { checkBooks, type Violation } from "./check/check-books.ts";
export { checkRecentBooks, type RecentCheck } from "./check/check-recent-books.ts";
export { classifyBatchFailure } from "./classify-batch-failure.ts";
export type { WriteFailure } from "./classify-write-failure.ts";
export { GroupCommitQueue } from "./group-commit-queue.ts";
export {
  type ClockOffset,
  clockSkewMaxMs,
  type InstanceShare,
} from "./heartbeat/heartbeat-state.ts";
export {
  type Heartbeat,
  type HeartbeatOptions,
  type HeartbeatStatus,
  keepHeartbeat,
} from "./heartbeat/keep-heartbeat.ts";
export { purgeInstances } from "./heartbeat/purge-instances.ts";
export type {
  BudgetRefusal,
  Charge,
  Charged,
  Hold,
  HoldDecision,
  HoldRefusal,
  HoldRequest,
} from "./hold.ts";
export { LeaseBook } from "./lease-book.ts";
export { leaseTimes, ledgerLimits, ledgerTimes } from "./ledger-bounds.ts";
export { type FreeCallLog, openFreeCallLog } from "./open-free-call-log.ts";
export { type Ledger, type LedgerOptions, openLedger } from "./open-ledger.ts";
export { openRecallChannel, type RecallChannel, recallChannelName } from "./open-recall-channel.ts";
export { type Movement, type Posted, postAdjustment, postMovement } from "./post-movement.ts";
export type { ReapOptions } from "./reap-leases.ts";
export { type RecallOptions, recallLeases } from "./recall-leases.ts";
export { Demand, isNearlyEmpty } from "./reservation.ts";
export {
  openRateBuckets,
  purgeRateBuckets,
  type RateBucketChange,
  type RateBuckets,
  type RateDimension,
  type RateNeed,
  type RateSubjectKind,
} from "./take-rates.ts";
