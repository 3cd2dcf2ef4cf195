// The times at which a server works that nobody sets; tests pass shorter ones as an argument of the process.
import { ledgerTimes } from "@turnpike/ledger";

export const serverTimes = {
  /** Interval of an instance's heartbeat. */
  heartbeatMs: 5_000,
  /** Age of its own heartbeat at which an instance admits no more calls. */
  heartbeatLapseMs: 45_000,
  /** Silence after which other instances close an instance's leases and take over its work. */
  silentMs: 60_000,
  /** How long PostgreSQL may take to reserve money for a call, which is refused then. */
  holdMs: ledgerTimes.holdMs,
  /** How often leases of dead instances are closed. */
  reapEveryMs: 10_000,
  /** How often queued mails are sent. */
  sendMailEveryMs: 1_000,
  /** How often queued webhooks are sent. */
  sendWebhooksEveryMs: 1_000,
  /** How often lines of batches, and their next steps, are looked for. */
  runBatchesEveryMs: 1_000,
  /** How often runs are looked for whose process has died. */
  endLostRunsEveryMs: 10_000,
  /** How often received Stripe events are processed. */
  workInboxEveryMs: 1_000,
  /** How often Stripe is asked about payments for which no event arrived. */
  reconcileEveryMs: 900_000,
  /** How often upcoming monthly partitions of the request table are created. */
  preparePartitionsEveryMs: 60_000,
  /**
   * How long a call waits for PostgreSQL to count it against a rate limit, or a second if the instance has not heard
   * of the limit; then the instance grants its share.
   */
  countRateMs: 50,
} as const;

export type ServerTimes = Readonly<Record<keyof typeof serverTimes, number>>;
