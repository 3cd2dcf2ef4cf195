// Amounts of top-ups: as people type them, as the books keep them, as Stripe counts them. A top-up is
// whole cents, so that all three agree exactly.

import { Fault } from "@turnpike/base";
import { formatUsd, type Nanos, parseUsd, toNanos } from "@turnpike/terms";
import type { TopUpBounds } from "../billing.ts";

const nanosPerCent = 10_000_000n;
const param = "amountUsd";

/** `"10"` or `"10.50"` within the bounds. Throws a Fault that names the field and the bounds. */
export function parseTopUpAmount(text: string, bounds: TopUpBounds): Nanos {
  const min_usd = formatUsd(bounds.minNanos);
  const max_usd = formatUsd(bounds.maxNanos);
  const metadata = { min_usd, max_usd };
  const amount = /^\d{1,10}(?:\.\d{1,2})?$/.test(text) ? parseUsd(text) : undefined;
  if (amount === undefined) {
    throw new Fault("invalid_value", "Enter an amount in dollars, such as 10 or 10.50.", {
      param,
      metadata,
    });
  }
  if (amount < bounds.minNanos) {
    throw new Fault("decimal_below_min_value", `The minimum you can add is $${min_usd}.`, {
      param,
      metadata,
    });
  }
  if (amount > bounds.maxNanos) {
    throw new Fault("decimal_above_max_value", `The maximum you can add at once is $${max_usd}.`, {
      param,
      metadata,
    });
  }
  return amount;
}

/** Exact; throws for an amount that is not whole cents. */
export function toCents(amount: Nanos): number {
  if (amount % nanosPerCent !== 0n) throw new Error(`${amount} nano-dollars are not whole cents`);
  return Number(amount / nanosPerCent);
}

/** Throws for what is not a number of cents. */
export function fromCents(cents: number): Nanos {
  return toNanos(BigInt(cents) * nanosPerCent);
}
