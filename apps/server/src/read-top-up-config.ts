// Reads the configuration of payments: Stripe with both its secrets or neither, and the bounds of a
// top-up. A malformed secret stops the start; an absent one does not.

import type { BillingOptions, TopUpBounds } from "@turnpike/billing";
import { parseUsd, toNanos } from "@turnpike/terms";

/** Each already checked by config.ts. */
export type TopUpVariables = {
  readonly NODE_ENV?: string;
  readonly STRIPE_SECRET_KEY?: string | undefined;
  /** One, or two with a comma. */
  readonly STRIPE_WEBHOOK_SECRET?: string | undefined;
  readonly STRIPE_API_BASE?: string | undefined;
  readonly MIN_TOP_UP_USD: string;
  readonly MAX_TOP_UP_USD: string;
};

export type TopUpConfig = {
  readonly stripe: BillingOptions["stripe"];
  readonly topUpBounds: TopUpBounds;
};

/** What Stripe charges at least and at most. */
const leastNanos = 500_000_000n;
const mostNanos = 999_999_990_000_000n;

/** Adds to `mistakes` the settings that contradict each other. */
export function readTopUpConfig(variables: TopUpVariables, mistakes: string[]): TopUpConfig {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: secrets } = variables;
  const { STRIPE_API_BASE: apiBase } = variables;
  if (secretKey !== undefined && secrets === undefined) {
    mistakes.push("STRIPE_WEBHOOK_SECRET: is required with STRIPE_SECRET_KEY.");
  }
  if (secretKey === undefined && secrets !== undefined) {
    mistakes.push("STRIPE_SECRET_KEY: is required with STRIPE_WEBHOOK_SECRET.");
  }
  if (apiBase !== undefined && variables.NODE_ENV === "production") {
    mistakes.push("STRIPE_API_BASE: exists for tests only; unset it.");
  }
  const topUpBounds = readBounds(variables, mistakes);
  if (secretKey === undefined || secrets === undefined) return { stripe: undefined, topUpBounds };
  const webhookSecrets = secrets.split(",");
  const stripe = { secretKey, webhookSecrets, ...(apiBase !== undefined && { apiBase }) };
  return { stripe, topUpBounds };
}

function readBounds(variables: TopUpVariables, mistakes: string[]): TopUpBounds {
  const minNanos = parseUsd(variables.MIN_TOP_UP_USD) ?? toNanos(0n);
  const maxNanos = parseUsd(variables.MAX_TOP_UP_USD) ?? toNanos(0n);
  if (minNanos < leastNanos) mistakes.push("MIN_TOP_UP_USD: must be at least 0.50.");
  if (maxNanos > mostNanos) mistakes.push("MAX_TOP_UP_USD: must be at most 999999.99.");
  if (maxNanos < minNanos) mistakes.push("MAX_TOP_UP_USD: must not be below MIN_TOP_UP_USD.");
  return { minNanos, maxNanos };
}
