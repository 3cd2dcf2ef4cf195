// The kinds of text people send. Whether a value makes sense, the verbs decide; here it is only made
// sure that it is text of a bounded size that PostgreSQL can hold.

import { passwordCharsMax } from "@turnpike/auth";
import { z } from "zod";

/** One line of text without control characters. */
export const line = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((text) => !/\p{Cc}|\p{Cs}/u.test(text), "Use printable characters only.");

export const emailInput = line(254);
/** In UTF-16 units: a character of a password may be two of them. */
export const passwordInput = z
  .string()
  .min(1)
  .max(passwordCharsMax * 2);
export const tokenInput = z.string().min(1).max(256);
