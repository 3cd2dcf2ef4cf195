// What operators are shown of a process: its version, the configuration in force, and which optional features are on.
// A setting is shown only as this table says, and one that is not in it does not compile.
import { hostname } from "node:os";
import type { InstanceId } from "@turnpike/base";
import type { InstanceFacts, InstanceFeature, Sql } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import type { Config, SettingName } from "./config.ts";
import { version } from "./version.ts";

/** `address`: a URL without user, password and query. `secret`: only whether it is set. */
type Shown = "value" | "address" | "secret";

const shownSettings = {
  NODE_ENV: "value",
  HOST: "value",
  PORT: "value",
  WORKERS: "value",
  DATABASE_URL: "address",
  DATABASE_MIGRATION_URL: "address",
  DATABASE_DIRECT_URL: "address",
  DATABASE_REPLICA_URL: "address",
  DATABASE_PREPARE: "value",
  MIGRATE_PAST_LIVE_INSTANCES: "value",
  DATABASE_POOL_KEYS: "value",
  DATABASE_POOL_CONSOLE: "value",
  DATABASE_POOL_BILLING: "value",
  DATABASE_POOL_JOBS: "value",
  DATABASE_POOL_LOCKED_ACCOUNTS: "value",
  CATALOG_FILE: "value",
  SANDBOX_UPSTREAM_URL: "address",
  ALLOW_PRIVATE_UPSTREAMS: "value",
  ALLOW_PRIVATE_WEBHOOKS: "value",
  PUBLIC_URL: "address",
  ALLOWED_HOSTS: "value",
  SEALING_KEY: "secret",
  LEDGER_KEY: "secret",
  SECURITY_CONTACT: "value",
  SANDBOX: "value",
  CONSOLE_DEV_URL: "address",
  TRUSTED_PROXIES: "value",
  PRODUCT_NAME: "value",
  SUPPORT_EMAIL: "value",
  COMPANY_NAME: "value",
  COMPANY_ADDRESS: "value",
  COMPANY_TAX_ID: "value",
  PASSWORD_MIN_LENGTH: "value",
  THROTTLE_SCALE: "value",
  GITHUB_URL: "address",
  GITHUB_CLIENT_ID: "value",
  GITHUB_CLIENT_SECRET: "secret",
  GOOGLE_CLIENT_ID: "value",
  GOOGLE_CLIENT_SECRET: "secret",
  OIDC_PROVIDERS: "value",
  DNS_SERVERS: "value",
  GEO_FILE: "value",
  TERMS_FILE: "value",
  PRIVACY_FILE: "value",
  DEMO_API_KEY: "secret",
  SMTP_URL: "address",
  MAIL_FROM: "value",
  STRIPE_SECRET_KEY: "secret",
  STRIPE_WEBHOOK_SECRET: "secret",
  STRIPE_API_BASE: "address",
  MIN_TOP_UP_USD: "value",
  MAX_TOP_UP_USD: "value",
  CONNECTIONS_PER_ADDRESS_MAX: "value",
  CALLS_PER_ACCOUNT_MAX: "value",
  CALLS_PER_KEY_MAX: "value",
  BODY_MEMORY_MIB: "value",
  UPLOAD_DISK_MIB: "value",
  OBJECTS_FOLDER: "value",
  OBJECTS_S3_BUCKET: "value",
  OBJECTS_S3_ENDPOINT: "address",
  OBJECTS_S3_REGION: "value",
  OBJECTS_S3_ACCESS_KEY_ID: "secret",
  OBJECTS_S3_SECRET_ACCESS_KEY: "secret",
  FILES_MIB_PER_ACCOUNT: "value",
  FILES_PER_ACCOUNT: "value",
  RESPONSES_KEPT_HOURS: "value",
  RESPONSES_MIB_PER_ACCOUNT: "value",
  RESPONSES_PER_ACCOUNT: "value",
  BACKGROUND_CALLS_MAX: "value",
  BACKGROUND_PER_ACCOUNT_MAX: "value",
  KEEP_OUTPUT_ITEMS: "value",
  METRICS_TOKEN: "secret",
  OTEL_EXPORTER_OTLP_ENDPOINT: "address",
  OTEL_EXPORTER_OTLP_HEADERS: "secret",
  OTEL_SERVICE_NAME: "value",
  OTEL_TRACES_SAMPLER: "value",
  OTEL_TRACES_SAMPLER_ARG: "value",
  LOG_LEVEL: "value",
  CHECK_BOOKS_EVERY_MS: "value",
  SETTLE_WAIT_MS: "value",
  DRAIN_NOTICE_MS: "value",
  DRAIN_STREAMS_MS: "value",
  BUN_CONFIG_MAX_HTTP_REQUESTS: "value",
} as const satisfies Record<SettingName, Shown>;

export function describeInstance(config: Config, worker: number | undefined): InstanceFacts {
  return {
    version,
    host: hostname(),
    pid: process.pid,
    worker: worker ?? null,
    settings: describeSettings(config),
    features: describeFeatures(config),
  };
}

function describeSettings(config: Config): Record<string, string> {
  const values: Readonly<Record<string, unknown>> = config;
  return Object.fromEntries(
    Object.entries(shownSettings).map(([name, shown]) => {
      // Lists are kept in `config` under names of their own.
      const value = name in values ? values[name] : config.environment[name];
      return [name, describeValue(value, shown)];
    }),
  );
}

function describeValue(value: unknown, shown: Shown): string {
  if (value === undefined || value === "") return "";
  if (shown === "secret") return "set";
  return shown === "address" ? describeAddress(String(value)) : String(value);
}

function describeAddress(text: string): string {
  if (!URL.canParse(text)) return "set";
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`;
}

function describeFeatures(config: Config): InstanceFeature[] {
  const { stripe, signInProviders: providers, SEALING_KEY: sealing } = config;
  const live = /^(sk|rk)_live_/.test(stripe?.secretKey ?? "");
  const isSealed = sealing !== undefined;
  const names = providers.map(({ name }) => name).join(", ");
  const feature = (name: string, isOn: boolean, on: string, off: string) => {
    return { name, isOn, detail: isOn ? on : off };
  };
  return [
    feature("mail", config.SMTP_URL !== undefined, "by SMTP_URL", "set SMTP_URL"),
    feature(
      "card payments",
      stripe !== undefined,
      live ? "Stripe" : "Stripe in test mode",
      "set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET",
    ),
    feature("sandbox", config.SANDBOX, "sandbox models and payments", "off in production"),
    feature("webhooks", isSealed, "sealed with SEALING_KEY", "set SEALING_KEY"),
    feature("stored prompts", isSealed, "sealed with SEALING_KEY", "set SEALING_KEY"),
    feature(
      "files and stored responses",
      isSealed && config.objectStorage !== undefined,
      `in ${config.objectStorage?.setting}, sealed with SEALING_KEY`,
      "set OBJECTS_FOLDER or OBJECTS_S3_BUCKET, and SEALING_KEY",
    ),
    feature("signed receipts", isSealed, "sealed with SEALING_KEY", "set SEALING_KEY"),
    feature(
      "sign-in elsewhere",
      providers.length > 0,
      names,
      "set GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID or OIDC_PROVIDERS",
    ),
    feature("places of sign-ins", config.GEO_FILE !== undefined, "by GEO_FILE", "set GEO_FILE"),
    feature(
      "metrics from elsewhere",
      config.METRICS_TOKEN !== undefined,
      "with METRICS_TOKEN",
      "loopback only; set METRICS_TOKEN",
    ),
    feature(
      "questions on the landing page",
      config.DEMO_API_KEY !== undefined,
      "paid by DEMO_API_KEY",
      "set DEMO_API_KEY",
    ),
    feature(
      "security contact",
      config.SECURITY_CONTACT !== undefined,
      "at /.well-known/security.txt",
      "set SECURITY_CONTACT",
    ),
  ];
}

type Noted = {
  readonly config: Config;
  readonly heartbeat: { readonly instanceId: InstanceId };
  readonly log: Log;
  readonly sql: Sql;
};

/** For operators alone, so a failure is only logged. */
export function noteInstance(services: Noted, worker: number | undefined): Promise<void> {
  const facts = JSON.stringify(describeInstance(services.config, worker));
  return note(services, (sql, id) => {
    return sql`update instances set facts = ${facts}::text::jsonb where id = ${id}`;
  });
}

export function noteDraining(services: Noted): Promise<void> {
  return note(
    services,
    (sql, id) => sql`update instances set draining_at = now() where id = ${id}`,
  );
}

async function note(
  { sql, heartbeat, log }: Noted,
  write: (sql: Sql, id: InstanceId) => PromiseLike<unknown>,
): Promise<void> {
  try {
    await write(sql, heartbeat.instanceId);
  } catch (error) {
    log.warn({ err: error }, "operators are not shown the state of this instance");
  }
}
