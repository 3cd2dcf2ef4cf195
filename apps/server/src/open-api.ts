// Opens what the console's procedures need: authentication, billing, the catalogue and what the console
// may know of the configuration. They run on the console's pool.
import type { ApiServices, PublicConfig } from "@turnpike/api";
import { openAuth, openResolver, scaleThrottles, throttleLimits } from "@turnpike/auth";
import { formatUsd, parseUsd } from "@turnpike/base";
import type { Billing } from "@turnpike/billing";
import type { Db } from "@turnpike/db";
import { openReceipts, type Receipts } from "@turnpike/receipts";
import type { Webhooks } from "@turnpike/webhooks";
import type { Config } from "./config.ts";
import type { LiveCatalog } from "./open-catalog.ts";
import { readPlaces } from "./read-places.ts";

export type ApiParts = Pick<ApiServices, "report" | "billing"> & {
  readonly catalog: LiveCatalog;
} & Pick<Webhooks, "sealer" | "log">;

export function openApi(config: Config, db: Db, parts: ApiParts): ApiServices {
  const { report, catalog, billing, sealer, log } = parts;
  const auth = openAuth(db, {
    publicUrl: config.PUBLIC_URL,
    productName: config.PRODUCT_NAME,
    passwordCharsMin: config.PASSWORD_MIN_LENGTH,
    providers: config.signInProviders,
    resolveTxt: openResolver(config.dnsServers),
    ...(config.GEO_FILE !== undefined && { findPlace: readPlaces(config.GEO_FILE) }),
    sealer,
    throttles: scaleThrottles(throttleLimits, config.THROTTLE_SCALE),
  });
  const { PUBLIC_URL: publicUrl, ALLOW_PRIVATE_WEBHOOKS: allowPrivate } = config;
  const receipts = openReceipts({ db, sealer, publicUrl });
  const webhooks = { sealer, allowPrivate, publicUrl, log };
  const shown = publicConfigOf(config, billing, receipts);
  const { files: catalogFiles } = catalog;
  return {
    db,
    report,
    auth,
    billing,
    catalog,
    catalogFiles,
    receipts,
    sealer,
    webhooks,
    config: shown,
  };
}

const presetsUsd = ["10", "25", "50", "100"];

function publicConfigOf(
  config: Config,
  { mode, bounds }: Billing,
  receipts: Receipts,
): PublicConfig {
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
    signInProviders: config.signInProviders.map(({ id, name, kind }) => ({ id, name, kind })),
    development: config.SANDBOX,
    receipts: receipts.canSign,
    prompts: receipts.canSign,
    apiBaseUrl: `${config.PUBLIC_URL}/v1`,
  };
}
