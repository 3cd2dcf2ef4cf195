// What a failed statement says about the batch it carried. The three answers decide what may be
// retried: after a lost answer the outcome must be looked up, and a bad item must not fail the
// others.
import { readErrorCode } from "@turnpike/db";
import { StatementDeadline } from "./bounded-connection.ts";
import type { BatchFailure } from "./group-commit-queue.ts";

/** The connection was lost during the statement, which may have committed. */
const lostCodes = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P05",
]);

/**
 * SQLSTATE classes that no item of the batch causes: read-only, log-in, no such database, deadlock,
 * out of space, lock not available, cancelled, input and output.
 */
const wholeClasses = new Set(["25", "28", "3D", "40", "53", "55", "57", "58"]);

/** The driver's own codes are words; of these only this one is caused by a parameter. */
const parameterCodes = new Set(["UNDEFINED_VALUE"]);

/** A failure not known to concern all items is blamed on one of them, which halving then finds. */
export function classifyBatchFailure(error: unknown): BatchFailure {
  if (error instanceof StatementDeadline) return "unknown";
  const code = readErrorCode(error);
  if (code === undefined || parameterCodes.has(code)) return "bad_item";
  if (lostCodes.has(code) || code.startsWith("08")) return "unknown";
  const fromServer = /^[0-9A-Z]{5}$/.test(code);
  return !fromServer || wholeClasses.has(code.slice(0, 2)) ? "whole" : "bad_item";
}
