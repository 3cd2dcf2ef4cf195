// An address that a provider states, in the form in which addresses are stored.

import { readEmail } from "../person/read-email.ts";

/** Undefined if it is no address. */
export function readStatedEmail(email: unknown): string | undefined {
  try {
    return typeof email === "string" ? readEmail(email) : undefined;
  } catch {
    return undefined;
  }
}
