// Limits for `connectDatabase` in tests: what waits for another transaction, or holds a lock until something has happened,
// may do so for as long as a busy machine takes. Less than a test may take, so that a hang says where.
export const patientLimits = {
  statementTimeoutMs: 150_000,
  lockTimeoutMs: 150_000,
  idleTransactionTimeoutMs: 150_000,
} as const;
