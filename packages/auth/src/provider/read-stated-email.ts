// An address that a provider states, in the form in which addresses are stored. A provider states it exactly: even
// white space around it makes it none.

import { parseEmail } from "../person/read-email.ts";

/** Undefined if it is no address. */
export function readStatedEmail(email: unknown): string | undefined {
  return typeof email === "string" ? parseEmail(email) : undefined;
}
