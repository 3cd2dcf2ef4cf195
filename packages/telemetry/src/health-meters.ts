// Whether something is wrong with the process itself, its console or its books.
import { Counter, Gauge, type Registry } from "prom-client";

export type HealthMeters = {
  countUnhandledRejection(): void;
  /** A browser blocked a part of the console; 0 unless something is wrong or someone sends fake reports. */
  countCspViolation(): void;
  /** Credited orders for which Stripe knows no payment, at the last reconciliation. */
  setUnpaidCredits(count: number): void;
  /** Replaces the result of the last check of the books: check name to rows found. */
  setCheckerViolations(violations: ReadonlyMap<string, number>, checkedAt: Date): void;
};

export function createHealthMeters(registry: Registry): HealthMeters {
  const rejections = new Counter({
    name: "turnpike_unhandled_rejections_total",
    help: "Unhandled promise rejections; each one is a bug.",
    registers: [registry],
  });
  const refusedParts = new Counter({
    name: "turnpike_csp_violations_total",
    help: "Browser reports that the console's content security policy blocked something.",
    registers: [registry],
  });
  const violations = new Gauge({
    name: "turnpike_checker_violations",
    help: "Rows that the last check of the books found to be wrong, by check.",
    labelNames: ["check"] as const,
    registers: [registry],
  });
  const checkedAt = new Gauge({
    name: "turnpike_checker_last_run_timestamp_seconds",
    help: "When the books were last checked; 0 before the first check.",
    registers: [registry],
  });
  const unpaidCredits = new Gauge({
    name: "turnpike_unpaid_credits",
    help: "Top-ups credited in the last days for which Stripe knows no payment; 0 unless something is wrong.",
    registers: [registry],
  });
  return {
    setUnpaidCredits: (count) => unpaidCredits.set(count),
    countUnhandledRejection: () => rejections.inc(),
    countCspViolation: () => refusedParts.inc(),
    setCheckerViolations(found, at) {
      violations.reset();
      for (const [check, rows] of found) violations.set({ check }, rows);
      checkedAt.set(at.getTime() / 1000);
    },
  };
}
