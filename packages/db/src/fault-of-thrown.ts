// The Fault in whatever was thrown. A database that is away is a refusal to try again later; anything else
// that is not a Fault is a bug.
import { Fault, toFault } from "@turnpike/base";
import { isConnectionError } from "./connect.ts";

export function faultOfThrown(thrown: unknown): Fault {
  if (!isConnectionError(thrown)) return toFault(thrown);
  const message = "The database does not respond. Nothing was changed; try again in a moment.";
  return new Fault("overloaded", message, { cause: thrown, retryAfterMs: 2_000 });
}
