// Opens billing and logs how money can come in: by Stripe if it is configured, by the sandbox if
// SANDBOX is on, which production refuses, or not at all.
import { scaleThrottles, throttleLimits } from "@turnpike/auth";
import { type Billing, createBilling } from "@turnpike/billing";
import type { Db } from "@turnpike/db";
import { recallLeases } from "@turnpike/ledger";
import type { Log, Metrics } from "@turnpike/telemetry";
import type { Config } from "./config.ts";
import { ledgerProverOf } from "./ledger-keys-of.ts";

export type ServerBillingOptions = {
  readonly db: Db;
  readonly log: Log;
  readonly metrics: Metrics;
};

export function createServerBilling(
  config: Config,
  { db, log, metrics }: ServerBillingOptions,
): Billing {
  const directUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const isProduction = config.NODE_ENV === "production";
  const billing = createBilling({
    stripe: config.stripe,
    allowSandbox: config.SANDBOX,
    publicUrl: config.PUBLIC_URL,
    bounds: config.topUpBounds,
    proveMovement: ledgerProverOf(config),
    recallLeases: (accountId) => recallLeases({ db, directUrl, log }, accountId),
    throttles: scaleThrottles(throttleLimits, config.THROTTLE_SCALE),
    log,
    meters: metrics,
  });
  if (billing.mode === "none") {
    log.warn("STRIPE_SECRET_KEY is not set: no one can add funds");
  }
  if (isProduction && billing.stripe?.livemode === false) {
    log.warn("Stripe is in test mode: top-ups are paid with cards that cost nothing");
  }
  return billing;
}

/** Secrets that the log must redact. */
export function stripeSecretsOf({ stripe }: Config): readonly string[] {
  return stripe === undefined ? [] : [stripe.secretKey, ...stripe.webhookSecrets];
}
