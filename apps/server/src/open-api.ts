// Opens what the console's procedures need: a pool of their own, so that no amount of clicking takes
// connections from the money, and the parts of signing in.
import type { ApiServices, PublicConfig } from "@turnpike/api";
import { openAuth, scaleThrottles, throttleLimits } from "@turnpike/auth";
import { formatUsd, parseUsd } from "@turnpike/base";
import type { Billing } from "@turnpike/billing";
import type { Catalog } from "@turnpike/catalog";
import { type Connection, connectDatabase } from "@turnpike/db";
import type { Config } from "./config.ts";

export type OpenedApi = { readonly api: ApiServices; readonly connection: Connection };

const connectionsMax = 5;

export function openApi(config: Config, catalog: () => Catalog, billing: Billing): OpenedApi {
  const connection = connectDatabase({
    url: config.DATABASE_URL,
    max: connectionsMax,
    applicationName: "turnpike console",
  });
  const auth = openAuth(connection.db, {
    publicUrl: config.PUBLIC_URL,
    productName: config.PRODUCT_NAME,
    passwordCharsMin: config.PASSWORD_MIN_LENGTH,
    throttles: scaleThrottles(throttleLimits, config.THROTTLE_SCALE),
  });
  return {
    api: { db: connection.db, auth, billing, catalog, config: publicConfigOf(config, billing) },
    connection,
  };
}

const presetsUsd = ["10", "25", "50", "100"];

function publicConfigOf(config: Config, { mode, bounds }: Billing): PublicConfig {
  return {
    productName: config.PRODUCT_NAME,
    supportEmail: config.SUPPORT_EMAIL,
    minTopUpUsd: formatUsd(bounds.minNanos),
    maxTopUpUsd: formatUsd(bounds.maxNanos),
    topUpPresetsUsd: presetsUsd.filter((usd) => {
      const amount = parseUsd(usd) ?? 0n;
      return amount >= bounds.minNanos && amount <= bounds.maxNanos;
    }),
    topUpMode: mode,
    passwordMinLength: config.PASSWORD_MIN_LENGTH,
    development: config.SANDBOX,
    apiBaseUrl: `${config.PUBLIC_URL}/v1`,
  };
}
