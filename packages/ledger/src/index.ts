// The front door: holds, settlements, movements of money and the checker of the books.
export { checkBooks, type Violation } from "./check-books.ts";
export type { WriteFailure } from "./classify-write-failure.ts";
export { type ClockOffset, clockSkewMaxMs } from "./estimate-clock.ts";
export {
  type HoldDecision,
  type HoldRefusal,
  type HoldRequest,
  noFacts,
  noTokens,
  type RequestFacts,
  type Settled,
  type Settlement,
  type TokenCounts,
} from "./hold.ts";
export {
  type Heartbeat,
  type HeartbeatOptions,
  type HeartbeatStatus,
  type InstanceShare,
  keepHeartbeat,
  purgeInstances,
} from "./keep-heartbeat.ts";
export { openRefusalLog, type RefusalLog, type RefusedRequest } from "./log-refused.ts";
export {
  type Ledger,
  type LedgerOptions,
  ledgerLimits,
  ledgerTimes,
  openLedger,
} from "./open-ledger.ts";
export { type Movement, type Posted, postMovement } from "./post-movement.ts";
export type { ReapOptions } from "./reap-holds.ts";
