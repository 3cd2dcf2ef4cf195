// Opens what the console's procedures need: authentication, billing, the catalog and what the console
// may know of the configuration. They run on the console's pool.

import { openResolver } from "@turnpike/accounts";
import { type ApiServices, deliverToConsole, type PublicConfig } from "@turnpike/api";
import { openAuth, type PasswordCost, scaleThrottles, throttleLimits } from "@turnpike/auth";
import type { Connection, Db } from "@turnpike/db";
import { createReceipts } from "@turnpike/receipts";
import type { Log, Metrics } from "@turnpike/telemetry";
import { formatUsd, parseUsd } from "@turnpike/terms";
import type { Webhooks } from "@turnpike/webhooks";
import { companyOf } from "./company-of.ts";
import type { Config } from "./config.ts";
import { type Bounds, createFairQueue, type FairQueue } from "./fair-queue.ts";
import type { LiveCatalog } from "./open-catalog.ts";
import { openReplica } from "./open-replica.ts";
import { readPlaces } from "./read-places.ts";
import { createReports } from "./read-reports.ts";

export type ApiParts = Pick<ApiServices, "billing" | "figures" | "objects"> & {
  readonly catalog: LiveCatalog;
  /** Who reads reports next. */
  readonly fairQueue: FairQueue;
  readonly passwordCost?: PasswordCost | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
} & Pick<Webhooks, "sealer">;

export type OpenApi = {
  readonly api: ApiServices;
  /** Instead of those of `api`, for who has just changed nothing; undefined without a replica. */
  readonly replicaReads: Pick<ApiServices, "read" | "report"> | undefined;
  readonly closeReplica: () => Promise<void>;
};

export function openApi(config: Config, primary: Connection, parts: ApiParts): OpenApi {
  const { fairQueue } = parts;
  const replica = openReplica(config, primary, parts);
  return {
    api: { ...createPrimaryApi(config, primary.db, parts), replicaLagMs: () => replica?.lagMs() },
    replicaReads: replica && { read: replica.read, report: createReports(replica.read, fairQueue) },
    closeReplica: async () => replica?.close(),
  };
}

function createPrimaryApi(
  config: Config,
  db: Db,
  { fairQueue, catalog, figures, billing, sealer, objects, passwordCost, log }: ApiParts,
): Omit<ApiServices, "replicaLagMs"> {
  const auth = openAuth(db, {
    publicUrl: config.PUBLIC_URL,
    productName: config.PRODUCT_NAME,
    passwordCharsMin: config.PASSWORD_MIN_LENGTH,
    providers: config.signInProviders,
    resolveTxt: openResolver(config.dnsServers),
    ...(config.GEO_FILE !== undefined && { findPlace: readPlaces(config.GEO_FILE) }),
    sealer,
    throttles: scaleThrottles(throttleLimits, config.THROTTLE_SCALE),
    passwordCost,
  });
  const { PUBLIC_URL: publicUrl, ALLOW_PRIVATE_WEBHOOKS: allowPrivate } = config;
  const receipts = createReceipts({ db, sealer, publicUrl });
  const webhooks = { sealer, allowPrivate, publicUrl, log };
  const shown = publicConfigOf(config, { billing, receipts, objects });
  const { files: catalogFiles } = catalog;
  const company = companyOf(config);
  return {
    db,
    report: createReports((read) => read(db), fairQueue),
    change: createChanges(),
    read: (read) => read(db),
    auth,
    billing,
    catalog,
    figures,
    catalogFiles,
    receipts,
    sealer,
    objects,
    webhooks,
    config: shown,
    company,
    delivery: deliverToConsole(company),
  };
}

const changeBounds: Bounds = {
  most: 1,
  waitMaxMs: 30_000,
  refusal: "Your account has too many changes waiting. Please try again in 2s.",
};

/** In the database, changes of an account run one at a time anyway: here they wait without a connection. */
function createChanges(): ApiServices["change"] {
  const fairQueue = createFairQueue(Number.POSITIVE_INFINITY);
  return (accountId, run) => fairQueue.run(accountId, changeBounds, run);
}

const presetsUsd = ["10", "25", "50", "100"];

function publicConfigOf(
  config: Config,
  {
    billing: { mode, bounds },
    receipts,
    objects,
  }: Pick<ApiServices, "billing" | "receipts" | "objects">,
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
    files: objects !== undefined,
    terms: config.TERMS_FILE !== undefined,
    privacy: config.PRIVACY_FILE !== undefined,
    demo: config.DEMO_API_KEY !== undefined,
    apiBaseUrl: `${config.PUBLIC_URL}/v1`,
  };
}
