// The kinds of text people send. The called functions decide whether a value makes sense; this only
// ensures that it is text of a bounded size that PostgreSQL can store.

import { passwordCharsMax } from "@turnpike/auth";
import { findTimeZone, timeZoneOrUtc } from "@turnpike/base";
import { addressesInput, idInput, instantInput, line, namesInput } from "@turnpike/operator";
import {
  codeCharsMax,
  formatUsd,
  type Nanos,
  nanosMax,
  parseUsd,
  rateMax,
  usdPatterns,
} from "@turnpike/terms";
import { z } from "zod";

export { addressesInput, idInput, instantInput, line, namesInput };

/**
 * A name whose length is checked where it is stored, with the words for its kind: `charsMax` is what counts once the
 * spaces around it are gone.
 */
export const nameInput = (charsMax: number, charsMin = 1) =>
  line(200).meta({ minLength: charsMin, maxLength: charsMax });

export const emailInput = line(254);
/** In UTF-16 units: a character of a password may be two of them. */
export const passwordInput = z
  .string()
  .min(1)
  .max(passwordCharsMax * 2);
/** Per minute, of requests or tokens. */
export const rateInput = z.number().int().min(1).max(rateMax.perMinute);
export const concurrencyInput = z.number().int().min(1).max(rateMax.concurrency);

const upTo = (most: number) => `up to ${most.toLocaleString("en")}; more are refused with 429.`;

export const rateDescriptions = {
  requests: `Most requests per minute, ${upTo(rateMax.perMinute)}`,
  tokens: `Most tokens per minute, ${upTo(rateMax.perMinute)}`,
  concurrency: `Most requests at the same time, ${upTo(rateMax.concurrency)}`,
} as const;

const rateChanges = "Null removes the limit. Default: stays as it is.";

export const rateChangeInput = z.strictObject({
  requestsPerMinute: rateInput
    .nullable()
    .optional()
    .describe(`${rateDescriptions.requests} ${rateChanges}`),
  tokensPerMinute: rateInput
    .nullable()
    .optional()
    .describe(`${rateDescriptions.tokens} ${rateChanges}`),
  concurrency: concurrencyInput
    .nullable()
    .optional()
    .describe(`${rateDescriptions.concurrency} ${rateChanges}`),
});

/** A position in a list, as `nextCursor` was returned. */
export const cursorInput = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);

export const tokenInput = z.string().min(1).max(256);

/** As it is typed, with spaces or hyphens. */
const codeInput = z.string().min(1).max(codeCharsMax);

/** The answer of a passkey, in the JSON that browsers write: it is read as a whole, and bounded here. */
export const credentialInput = z.string().min(1).max(16_384);

/** How a second factor is proved. */
export const factorProofs = [
  z.strictObject({ method: z.literal("totp"), code: codeInput }),
  z.strictObject({ method: z.literal("recovery_code"), code: codeInput }),
  z.strictObject({ method: z.literal("passkey"), credential: credentialInput }),
] as const;

/**
 * An IANA time zone this runtime knows, e.g. `Europe/Berlin`, of settings and of programs: a wrong name is refused. So is
 * an offset such as `+05:30`, which PostgreSQL reads with the opposite sign, or not at all.
 */
export const timeZoneInput = line(64).refine(
  (name) => findTimeZone(name) !== undefined,
  "Not a time zone. Use an IANA name such as Europe/Berlin.",
);

/** An id as callers write it, read by `parse`. */
export const parsedInput = <Id>(parse: (text: string) => Id | undefined, refusal: string) =>
  line(128).transform((text, context): Id => {
    const id = parse(text);
    if (id !== undefined) return id;
    context.addIssue({ code: "custom", message: refusal });
    return z.NEVER;
  });

/** Of what people look at, in the zone that their browser reports. */
export const shownTimeZoneInput = line(64).overwrite(timeZoneOrUtc);

export const timeZoneDescription =
  "IANA name, such as `Europe/Berlin`, of the zone in which days begin. Default: `UTC`.";

/** `"10"`, `"10.50"`: at most two decimals, never a number, a sign or an exponent. */
export const amountInput = usdInput(
  usdPatterns.cents,
  'Write an amount in USD like "10" or "10.50".',
);

/** A cost of a request to filter by: down to nano-dollars. */
export const costInput = usdInput(
  usdPatterns.nanos,
  'Write a cost in USD like "0.5" or "0.00012".',
);

/** How many rows a page of a list has. */
export const pageLimitInput = z.int().min(1).max(100);

export const pageRowsDefault = 50;
export const pageLimitDescription = `How many rows a page has: 1 to 100. Default: ${pageRowsDefault}.`;
export const cursorDescription =
  "Where the page begins: `next_cursor` of the page before. Default: the first page.";

function usdInput(pattern: RegExp, hint: string) {
  return z
    .string()
    .regex(pattern, hint)
    .transform((text, context): Nanos => {
      const amount = parseUsd(text);
      if (amount !== undefined && amount <= nanosMax) return amount;
      context.addIssue({ code: "custom", message: `Use at most ${formatUsd(nanosMax)}.` });
      return z.NEVER;
    });
}
