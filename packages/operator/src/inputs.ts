// The kinds of text that operators and the console's people send: bounded, and storable by PostgreSQL.
import { type AnyId, parseId } from "@turnpike/base";
import type { PriceTerm } from "@turnpike/db";
import { priceTermMax } from "@turnpike/keys";
import { type Nanos, parseUsd, toNanos } from "@turnpike/terms";
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

const usdForm = { title: "Amount in USD", format: "usd" };

/** `none` removes a limit. `message` says what to give instead of anything else. */
export function orNone<Schema extends z.ZodType>(schema: Schema, message: string) {
  return z.union([z.literal("none").transform(() => null), schema], message);
}

/** A whole number, or `none`. */
export const limitInput = orNone(
  z
    .string()
    .regex(/^[1-9]\d{0,7}$/)
    .transform(Number),
  "Give a whole number from 1, or none.",
).meta({ description: "A whole number, or none." });

/** How far back, in days. */
export function daysInput(max: number) {
  const message = `Give a whole number from 1 to ${max}.`;
  return z.number(message).int(message).min(1, message).max(max, message).optional();
}

const dayMs = 86_400_000;

export function daysAgo(days = 30): Date {
  return new Date(Date.now() - days * dayMs);
}

/** A typing mistake must not move a million; `post_adjustment` and `set_credit_limit` have the same bound. */
const adjustmentNanosMax = 100_000n * 1_000_000_000n;

/** `"10"` or `"2.50"`: to the cent, as payments are. */
export const usdInput = z
  .string()
  .meta(usdForm)
  .regex(/^\d{1,6}(\.\d{1,2})?$/, 'Write an amount in USD like "10" or "2.50".')
  .transform((text) => parseUsd(text) ?? toNanos(0n));

/** `"10"`, `"-2.5"`: not zero, at most 100,000 dollars either way. */
export const signedUsdInput = z
  .string()
  .meta(usdForm)
  .regex(/^-?\d{1,6}(\.\d{1,9})?$/, 'Write an amount in USD like "10" or "-2.50".')
  .transform((text, context): Nanos => {
    const size = parseUsd(text.replace("-", ""));
    if (size !== undefined && size > 0n && size <= adjustmentNanosMax) {
      return text.startsWith("-") ? toNanos(-size) : size;
    }
    context.addIssue({ code: "custom", message: "Give an amount above 0, at most 100000." });
    return z.NEVER;
  });

/** The same above zero. */
export const positiveUsdInput = signedUsdInput.refine((nanos) => nanos > 0n, {
  message: "Give an amount above 0, at most 100000.",
});

/** `"0"` to `"100000"`. */
export const creditInput = usdInput.refine((nanos) => nanos <= adjustmentNanosMax, {
  message: "Give at most 100000.",
});

const priceTerm =
  /^(?<models>[^\s=*,]{1,120}\*?|\*)\s*=\s*(?<percent>[+-]?\d{1,3}(?:\.\d{1,2})?)\s*%(?:\s+until\s+(?<until>\d{4}-\d{2}-\d{2}))?$/;
const markupMaxPercent = 1_000;

/** `"anthropic/*=-10%, openai/gpt-4o=+5% until 2027-01-01"`, or `none`. */
export const priceTermsInput = z
  .string()
  .max(20_000)
  .transform((text, context): readonly PriceTerm[] => {
    if (text.trim() === "none") return [];
    const written = text.split(/[,\n]/).flatMap((part) => part.trim() || []);
    const terms = written.flatMap((part) => parsePriceTerm(part) ?? []);
    const models = new Set(terms.map((term) => term.models));
    if (terms.length > 0 && terms.length === written.length && terms.length <= priceTermMax) {
      if (models.size === terms.length) return terms;
    }
    context.addIssue({
      code: "custom",
      message: `Write each of at most ${priceTermMax} terms once, as "anthropic/*=-10%" or "openai/gpt-4o=+5% until 2027-01-01", from -100% to +${markupMaxPercent}%, or none.`,
    });
    return z.NEVER;
  });

/** The day of its end is in UTC and the first on which it does not apply. */
function parsePriceTerm(text: string): PriceTerm | undefined {
  const { models, percent, until } = priceTerm.exec(text)?.groups ?? {};
  if (models === undefined || percent === undefined) return undefined;
  const markupBasisPoints = Math.round(Number(percent) * 100);
  if (markupBasisPoints < -10_000 || markupBasisPoints > markupMaxPercent * 100) return undefined;
  if (until === undefined) return { models, markupBasisPoints };
  const end = new Date(`${until}T00:00:00Z`);
  if (Number.isNaN(end.getTime()) || end.toISOString().slice(0, 10) !== until) return undefined;
  return { models, markupBasisPoints, until: end.toISOString() };
}

/** Ids of models or providers. */
export const namesInput = z.array(line(128)).max(200);

/** Addresses or CIDR ranges. */
export const addressesInput = z
  .array(line(64).pipe(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
  .max(100);

const firstInstantMs = Date.UTC(2000, 0, 1);
const lastInstantMs = Date.UTC(2200, 0, 1);

/** A moment in ISO 8601, e.g. `2026-11-12T14:03:00Z`, within the range that PostgreSQL supports. */
export const instantInput = z.iso
  // Aborts here, because otherwise the checks of a range would compare an invalid date.
  .datetime({ offset: true, abort: true })
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() >= firstInstantMs && at.getTime() < lastInstantMs, {
    error: "Must be between the years 2000 and 2199.",
  });

/** A UUID that names a row. */
export function idInput<Kind extends AnyId>() {
  const written = z.string().meta({ format: "uuid" });
  return written.transform((text, context): Kind => {
    const id = parseId<Kind>(text);
    if (id !== undefined) return id;
    context.addIssue({ code: "custom", message: "Not an id." });
    return z.NEVER;
  });
}
