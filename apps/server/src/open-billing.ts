// Opens what takes money, on a pool of its own, and tells the operator which way money comes in. The
// sandbox is there where SANDBOX is on, which production refuses, and Stripe is not.
import { scaleThrottles, throttleLimits } from "@turnpike/auth";
import { type Billing, openBilling } from "@turnpike/billing";
import { type Connection, connectDatabase } from "@turnpike/db";
import type { Log, Metrics } from "@turnpike/telemetry";
import type { Config } from "./config.ts";

export type OpenedBilling = { readonly billing: Billing; readonly connection: Connection };

const connectionsMax = 5;

export function openServerBilling(config: Config, log: Log, metrics: Metrics): OpenedBilling {
  const connection = connectDatabase({
    url: config.DATABASE_URL,
    max: connectionsMax,
    applicationName: "turnpike billing",
  });
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
    log.warn("STRIPE_SECRET_KEY is not set: nobody can add funds");
  }
  if (isProduction && billing.stripe?.livemode === false) {
    log.warn("Stripe is in test mode: top-ups are paid with cards that cost nothing");
  }
  return { billing, connection };
}

/** Never to be seen in a log. */
export function stripeSecretsOf({ stripe }: Config): readonly string[] {
  return stripe === undefined ? [] : [stripe.secretKey, ...stripe.webhookSecrets];
}
