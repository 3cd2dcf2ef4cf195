// Opens billing and logs how money can come in: by Stripe if it is configured, by the sandbox if
// SANDBOX is on, which production refuses, or not at all.
import { scaleThrottles, throttleLimits } from "@turnpike/auth";
import { type Billing, openBilling } from "@turnpike/billing";
import type { Log, Metrics } from "@turnpike/telemetry";
import type { Config } from "./config.ts";

export function openServerBilling(config: Config, log: Log, metrics: Metrics): Billing {
  const isProduction = config.NODE_ENV === "production";
  const billing = openBilling({
    stripe: config.stripe,
    allowSandbox: config.SANDBOX,
    publicUrl: config.PUBLIC_URL,
    bounds: config.topUpBounds,
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
