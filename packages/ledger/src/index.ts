// The ledger: holds, charges, movements of money and the checker of the books.

export { classifyBatchFailure } from "./batches/classify-batch-failure.ts";
export type { WriteFailure } from "./batches/classify-write-failure.ts";
export { GroupCommitQueue } from "./batches/group-commit-queue.ts";
export { type CallFacts, createCallFacts } from "./charges/call-facts.ts";
export { type FreeCallLog, openFreeCallLog } from "./charges/open-free-call-log.ts";
export { checkBooks, type Violation } from "./check/check-books.ts";
export { checkRecentBooks, type RecentCheck } from "./check/check-recent-books.ts";
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
export { LeaseBook } from "./leases/lease-book.ts";
export {
  openRecallChannel,
  type RecallChannel,
  recallChannelName,
} from "./leases/open-recall-channel.ts";
export type { ReapOptions } from "./leases/reap-leases.ts";
export { type RecallOptions, recallLeases } from "./leases/recall-leases.ts";
export { leaseTimes, ledgerLimits, ledgerTimes } from "./ledger-bounds.ts";
export {
  type Movement,
  type Posted,
  postAdjustment,
  postMovement,
} from "./movements/post-movement.ts";
export { type Ledger, type LedgerOptions, openLedger } from "./open-ledger.ts";
export {
  openRateBuckets,
  purgeRateBuckets,
  type RateBucketChange,
  type RateBuckets,
  type RateDimension,
  type RateNeed,
  type RateSubjectKind,
} from "./rates/take-rates.ts";
export { Demand, isNearlyEmpty } from "./reservation.ts";
