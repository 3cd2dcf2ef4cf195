// What a failed statement says about the batch it carried. The three answers decide what may be
// tried again: a lost answer must be asked for, a bad item must not take the others with it.
import { readErrorCode } from "@turnpike/db";
import { StatementDeadline } from "./bounded-connection.ts";
import type { BatchFailure } from "./lane.ts";

/** The connection went away under the statement, which may have committed. */
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

/** SQLSTATE classes that blame the data: too many rows, data, constraints, limits, our own RAISE. */
const poisonClasses = new Set(["21", "22", "23", "54", "P0"]);

/** `whole` is everything else: locks, deadlocks, timeouts, no connection, no room, no rights. */
export function judgeFailure(error: unknown): BatchFailure {
  if (error instanceof StatementDeadline) return "unknown";
  const code = readErrorCode(error);
  if (code === undefined) return "poison";
  if (lostCodes.has(code) || code.startsWith("08")) return "unknown";
  // The driver's own refusals of a parameter concern one item; its codes are words.
  if (code === "UNDEFINED_VALUE" || poisonClasses.has(code.slice(0, 2))) return "poison";
  return "whole";
}
