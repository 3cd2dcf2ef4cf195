// How long the ledger waits for the database, and how much may wait for it.

/** Deadlines of statements, from the moment they are sent. */
export const ledgerTimes = {
  holdMs: 1_000,
  /** A call that waited longer is refused instead of tried. */
  holdAgeMs: 1_000,
  /** In a side queue, where a call waits for the lock of its account. */
  holdAsideMs: 3_000,
  chargeMs: 5_000,
  lockMs: 2_000,
  /**
   * How long a call that would be refused waits for idle money of other leases. Instances answer within milliseconds,
   * but on a busy machine, with the account locked by acquisitions, some take longer than a quarter of a second.
   */
  recallMs: 2_000,
  /** How long a refund or a dispute waits for them; longer than an instance waits for a locked account. */
  recallBeforeTakingMs: 3_000,
} as const;

/** How long a lease may stay open after its hour. */
export const leaseTimes = {
  /** No call runs longer: all its attempts share the time that an upstream may take in total. */
  callMs: 900_000,
  /** In which the charge of a call that ended is durable and its lease closed, with all their retries. */
  settleMs: 300_000,
} as const;

export const ledgerLimits = {
  batch: 128,
  lockedAccountConnections: 2,
  queuedHolds: 10_000,
  queuedCharges: 10_000,
  /** Of a charge that fails by itself; about three seconds with the pauses between. */
  chargeTries: 7,
  /**
   * With more than this many charges not durable nothing new is admitted, so that running calls can
   * be charged.
   */
  unchargedToAdmit: 5_000,
} as const;
