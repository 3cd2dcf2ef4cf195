// What a failed statement says about the batch it carried, which decides what may be retried: after a
// lost answer the outcome must be looked up, and a bad item must not fail the others. Only what is known
// to be the fault of an item may be given up.
import { errorCodeOf } from "@turnpike/db";
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
 * SQLSTATE classes that no item of the batch causes: read-only, log-in, no such database, deadlock, rights
 * and schema (a file system that became read-only is among them), out of space, lock not available,
 * cancelled, input and output.
 */
const wholeClasses = new Set(["25", "28", "3D", "40", "42", "53", "55", "57", "58"]);

/** Classes that the values of an item cause: cardinality, data, constraints, limits, errors raised by our functions. */
const itemClasses = new Set(["21", "22", "23", "44", "54", "P0"]);

/** The driver's own codes are words; of these only this one is caused by a parameter. */
const parameterCodes = new Set(["UNDEFINED_VALUE"]);

/**
 * Any other SQLSTATE is unclear. Internal errors (XX000) are the most frequent: a bad page concerns one
 * item, and a used-up quota or a file that may not grow, which have no code of their own, concern all.
 */
export function classifyBatchFailure(error: unknown): BatchFailure {
  if (error instanceof StatementDeadline) return "unknown";
  const code = errorCodeOf(error);
  if (code === undefined || parameterCodes.has(code)) return "bad_item";
  if (lostCodes.has(code) || code.startsWith("08")) return "unknown";
  const sqlClass = /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : undefined;
  if (sqlClass === undefined || wholeClasses.has(sqlClass)) return "whole";
  return itemClasses.has(sqlClass) ? "bad_item" : "unclear";
}
