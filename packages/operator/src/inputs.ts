// The kinds of text that operators and the console's people send: bounded, and storable by PostgreSQL.
import { z } from "zod";

/** One line of text without control characters. */
export const line = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((text) => !/\p{Cc}|\p{Cs}/u.test(text), "Use printable characters only.");

/** An account by its id, its slug or the address of a member. */
export const accountInput = line(254);
export const emailInput = line(254);
