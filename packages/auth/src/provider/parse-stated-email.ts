// An address that a provider states, in the form in which addresses are stored. It must be exact: an address with white
// space around it is not accepted.
import { normalizeEmail } from "@turnpike/accounts";

/** Undefined if it is not an address. */
export function parseStatedEmail(email: unknown): string | undefined {
  return typeof email === "string" ? normalizeEmail(email) : undefined;
}
