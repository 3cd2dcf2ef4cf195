// Why the database did not accept a write, in an operator's terms: unreachable, slow, read-only and
// full require different actions.
import { errorCodeOf, isConnectionError, isLockTimeout } from "@turnpike/db";
import { StatementDeadline } from "./bounded-connection.ts";

export type WriteFailure = {
  /** `slow`: no answer in time, possibly because of load. The others are definite. */
  readonly kind: "slow" | "unreachable" | "read-only" | "full" | "refused";
  /** One clause without host names: `/readyz` shows it to everyone. */
  readonly reason: string;
};

const statementTimeout = "57014";

export function classifyWriteFailure(error: unknown): WriteFailure {
  const code = errorCodeOf(error);
  if (error instanceof StatementDeadline || code === statementTimeout || isLockTimeout(error)) {
    return { kind: "slow", reason: "the database did not answer a write in time" };
  }
  if (code === "25006") {
    return { kind: "read-only", reason: "the database is read-only" };
  }
  if (code === "53100") {
    return { kind: "full", reason: "the database's disk is full" };
  }
  if (isConnectionError(error)) {
    return { kind: "unreachable", reason: `the database is unreachable (${code})` };
  }
  return { kind: "refused", reason: `the database refused a write (${code ?? "unknown error"})` };
}
