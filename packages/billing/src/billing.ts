// What the functions of this package need besides the database: opened once, passed to each. Which
// processor takes the money follows from the configuration and cannot be chosen by a caller.

import type { AccountLimits } from "@turnpike/accounts";
import { type AccountId, Fault } from "@turnpike/base";
import type { LedgerProver } from "@turnpike/db";
import type { Log, TopUpMeters } from "@turnpike/telemetry";
import type { Nanos } from "@turnpike/terms";
import { createStripe, type StripeOptions } from "./stripe/stripe.ts";
import type { StripeApi } from "./stripe/stripe-api.ts";

export type TopUpMode = "stripe" | "sandbox" | "none";
export type TopUpBounds = { readonly minNanos: Nanos; readonly maxNanos: Nanos };
export type TopUpThrottles = Pick<AccountLimits, "topUpPerPerson" | "topUpPerDay">;

export type BillingOptions = {
  readonly stripe: StripeOptions | undefined;
  /** No money moves: for development and tests. Without it and without Stripe there are no top-ups. */
  readonly allowSandbox: boolean;
  /** Where people return to from Stripe, without a trailing slash. */
  readonly publicUrl: string;
  readonly bounds: TopUpBounds;
  readonly throttles: TopUpThrottles;
  /** Has the account's leases returned before money is taken from it; resolves in bounded time. */
  readonly recallLeases: (accountId: AccountId) => Promise<void>;
  /** Proves to the database that a movement is this server's; absent without LEDGER_KEY. */
  readonly proveMovement?: LedgerProver | undefined;
  readonly log: Log;
  readonly meters: TopUpMeters;
};

export type Billing = Omit<BillingOptions, "stripe" | "allowSandbox"> & {
  readonly mode: TopUpMode;
  /** Present exactly when the mode is `stripe`. */
  readonly stripe: StripeApi | undefined;
};

export function createBilling({ stripe, allowSandbox, ...options }: BillingOptions): Billing {
  if (stripe !== undefined) return { ...options, mode: "stripe", stripe: createStripe(stripe) };
  return { ...options, mode: allowSandbox ? "sandbox" : "none", stripe: undefined };
}

/** Throws `not_found` if Stripe is not configured. */
export function requireStripe(billing: Billing): StripeApi {
  if (billing.stripe !== undefined) return billing.stripe;
  throw new Fault("not_found", "Stripe is not configured here.");
}
