// The only reader of the environment. All mistakes are reported together, and each says what to
// do; the result is complete and typed, and the rest of the program never reads the environment.
import type { ProviderSettings } from "@turnpike/auth";
import type { AddressRange } from "@turnpike/base";
import { samplers } from "@turnpike/telemetry";
import { z } from "zod";
import { findProductionMistakes, findSystemMistakes } from "./check-settings.ts";
import { describeSetting, type Environment } from "./describe-setting.ts";
import { findExposure } from "./find-exposure.ts";
import { defaultSender, parseHosts, parseRanges, parseServers } from "./parse-addresses.ts";
import { poolerUrls, postgresUrl } from "./postgres-url.ts";
import { readArguments, type ServerArguments } from "./read-arguments.ts";
import { type ObjectStorage, objectsShape, readObjectStorage } from "./read-object-storage.ts";
import { readProviderConfig } from "./read-provider-config.ts";
import { readTopUpConfig, type TopUpConfig } from "./read-top-up-config.ts";

/** A timer with a longer delay would expire immediately. */
const delay = z.coerce.number().int().max(2_147_483_647);
const milliseconds = (fallback: number) => delay.positive().default(fallback);
const connections = z.coerce.number().int().min(1).max(100);
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be a URL such as ${example}` });
/** Absent, or of this form. */
const text = (form: RegExp, expectation: string) => z.string().regex(form, expectation).optional();
const usd = z.string().regex(/^\d{1,6}(\.\d{1,2})?$/, "must be dollars such as 5 or 7.50");

const environmentSchema = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  HOST: z.string().default("0.0.0.0"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  DATABASE_URL: postgresUrl,
  DATABASE_MIGRATION_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  DATABASE_PREPARE: z.stringbool().default(true),
  MIGRATE_PAST_LIVE_INSTANCES: z.stringbool().default(false),
  DATABASE_POOL_KEYS: connections.default(1),
  DATABASE_POOL_CONSOLE: connections.default(3),
  DATABASE_POOL_BILLING: connections.default(1),
  DATABASE_POOL_JOBS: connections.default(2),
  DATABASE_POOL_LOCKED_ACCOUNTS: connections.default(2),
  CATALOG_FILE: z.string().default("catalog.yaml"),
  SANDBOX_UPSTREAM_URL: url(/^https?$/, "http://127.0.0.1:4000/v1").optional(),
  ALLOW_PRIVATE_UPSTREAMS: z.stringbool().default(false),
  ALLOW_PRIVATE_WEBHOOKS: z.stringbool().default(false),
  PUBLIC_URL: url(/^https?$/, "https://turnpike.example").optional(),
  ALLOWED_HOSTS: z.string().default(""),
  SEALING_KEY: text(
    /^[^,\s]{32,}(,[^,\s]{32,})*$/,
    "must have at least 32 characters, and no spaces; commas separate keys",
  ),
  LEDGER_KEY: text(
    /^(none|[^,\s]{32,}(,[^,\s]{32,})*)$/,
    "must have at least 32 characters, and no spaces; commas separate keys, and none ends it",
  ),
  SECURITY_CONTACT: z
    .union([z.email(), z.url({ protocol: /^(?:https|mailto)$/ })], {
      error: "must be an email address or an https URL",
    })
    .optional(),
  SANDBOX: z.stringbool().default(false),
  CONSOLE_DEV_URL: url(/^http$/, "http://127.0.0.1:5173").optional(),
  TRUSTED_PROXIES: z.string().default(""),
  PRODUCT_NAME: z.string().max(60).default("Turnpike"),
  SUPPORT_EMAIL: z.email("must be an email address").or(z.literal("")).default(""),
  COMPANY_NAME: z.string().max(120).default(""),
  COMPANY_ADDRESS: z.string().max(500).default(""),
  COMPANY_TAX_ID: z.string().max(60).default(""),
  PASSWORD_MIN_LENGTH: z.coerce.number().int().min(8).max(64).default(12),
  THROTTLE_SCALE: z.coerce.number().positive().default(1),
  GITHUB_URL: url(/^https?$/, "https://github.example.com").default("https://github.com"),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  OIDC_PROVIDERS: z.string().default(""),
  DNS_SERVERS: z.string().default(""),
  GEO_FILE: z.string().optional(),
  TERMS_FILE: z.string().optional(),
  PRIVACY_FILE: z.string().optional(),
  DEMO_API_KEY: z.string().optional(),
  SMTP_URL: url(/^smtps?$/, "smtp://user:password@mail.example.com:587").optional(),
  MAIL_FROM: text(
    /^[^<>\r\n]{0,100}<?[^\s<>@]{1,64}@[^\s<>@]{1,253}>?$/,
    "must be like Turnpike <no-reply@example.com>",
  ),
  STRIPE_SECRET_KEY: text(
    /^(sk|rk)_(test|live)_[A-Za-z0-9]{16,}$/,
    "must be a secret key of Stripe, sk_…",
  ),
  STRIPE_WEBHOOK_SECRET: text(
    /^whsec_[\w+/=]{16,}(,whsec_[\w+/=]{16,})?$/,
    "must be whsec_…, or two separated by a comma",
  ),
  STRIPE_API_BASE: url(/^https?$/, "http://127.0.0.1:12111").optional(),
  MIN_TOP_UP_USD: usd.default("5"),
  MAX_TOP_UP_USD: usd.default("1000"),
  CONNECTIONS_PER_ADDRESS_MAX: z.coerce.number().int().positive().default(500),
  CALLS_PER_ACCOUNT_MAX: z.coerce.number().int().positive().optional(),
  CALLS_PER_KEY_MAX: z.coerce.number().int().positive().optional(),
  BODY_MEMORY_MIB: z.coerce.number().int().min(512).default(1_024),
  UPLOAD_DISK_MIB: z.coerce.number().int().min(512).default(2_048),
  ...objectsShape,
  BACKGROUND_CALLS_MAX: z.coerce.number().int().nonnegative().default(1_000),
  BACKGROUND_PER_ACCOUNT_MAX: z.coerce.number().int().nonnegative().default(50),
  KEEP_OUTPUT_ITEMS: z.stringbool().default(true),
  METRICS_TOKEN: text(
    /^[^,]{16,}(,[^,]{16,})?$/,
    "must be one token of at least 16 characters, or two separated by a comma",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, "http://127.0.0.1:4318").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: text(
    /^[\w-]+=[^,]*(,[\w-]+=[^,]*)*$/,
    "must be name=value, several separated by commas",
  ),
  OTEL_SERVICE_NAME: z.string().default("turnpike"),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  CHECK_BOOKS_EVERY_MS: milliseconds(3_600_000),
  SETTLE_WAIT_MS: milliseconds(30_000),
  DRAIN_NOTICE_MS: delay.nonnegative().default(10_000),
  DRAIN_STREAMS_MS: delay.nonnegative().default(300_000),
  BUN_CONFIG_MAX_HTTP_REQUESTS: z.coerce.number().int().positive().default(256),
});

/** Of every variable with a fixed name. */
export const settingNames: readonly string[] = Object.keys(environmentSchema.shape);

export type SettingName = keyof z.infer<typeof environmentSchema>;
export type Settings = Omit<z.infer<typeof environmentSchema>, "TRUSTED_PROXIES" | "ALLOWED_HOSTS">;
export type Config = Omit<Settings, "PUBLIC_URL" | "MAIL_FROM"> &
  TopUpConfig &
  ServerArguments & {
    /** An origin, without a slash at the end. */
    readonly PUBLIC_URL: string;
    readonly MAIL_FROM: string;
    /** For the catalog's `${NAME}`. */
    readonly environment: Environment;
    readonly trustedProxies: readonly AddressRange[];
    /** `name` or `name:port`, besides that of PUBLIC_URL. */
    readonly allowedHosts: readonly string[];
    readonly dnsServers: readonly string[];
    readonly signInProviders: readonly ProviderSettings[];
    readonly objectStorage: ObjectStorage | undefined;
  };

/** All mistakes of a configuration, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.mistakes = mistakes;
  }
}

/** Reads the environment and the arguments of the process. Throws ConfigError with every mistake. */
export function readConfig(
  environment: Environment = process.env,
  words: readonly string[] = [],
): Config {
  const { config, mistakes } = readEnvironment(environment, words);
  if (mistakes.length > 0 || config === undefined) throw new ConfigError(mistakes);
  return config;
}

export type ReadEnvironment = {
  /** With defaults for unreadable values; undefined without a usable DATABASE_URL. */
  readonly config: Config | undefined;
  readonly mistakes: readonly string[];
};

/** Reads as much as can be read, so that one start reports the mistakes of all checks. */
export function readEnvironment(
  environment: Environment = process.env,
  words: readonly string[] = [],
): ReadEnvironment {
  const given = dropEmpty(environment);
  const read = environmentSchema.safeParse(given);
  if (read.success) return deriveConfig(read.data, environment, words);
  const issues = read.error.issues.map((issue) => describeSetting(issue, given));
  const broken = new Set(read.error.issues.map((issue) => String(issue.path[0])));
  const readable = Object.entries(given).filter(([name]) => !broken.has(name));
  const rest = environmentSchema.safeParse({
    ...(broken.has("DATABASE_URL") && { DATABASE_URL: "postgres://unknown/unknown" }),
    ...Object.fromEntries(readable),
  });
  if (!rest.success) return { config: undefined, mistakes: issues };
  const { config, mistakes } = deriveConfig(rest.data, environment, words);
  // A default that replaces a broken value is not a second mistake.
  const others = mistakes.filter((mistake) => !broken.has(mistake.split(":")[0] ?? ""));
  const usable = broken.has("DATABASE_URL") ? undefined : config;
  return { config: usable, mistakes: [...issues, ...others] };
}

function deriveConfig(
  settings: z.infer<typeof environmentSchema>,
  environment: Environment,
  words: readonly string[],
): ReadEnvironment {
  const { TRUSTED_PROXIES, ALLOWED_HOSTS, ...config } = settings;
  const mistakes = config.NODE_ENV === "production" ? findProductionMistakes(config) : [];
  mistakes.push(...findSystemMistakes(config));
  const given = readArguments(words, mistakes);
  if (config.NODE_ENV === "production" && given.failpoint !== undefined) {
    mistakes.push("--failpoint: exists for tests only; remove it.");
  }
  const trustedProxies = parseRanges(TRUSTED_PROXIES, mistakes);
  const allowedHosts = parseHosts(ALLOWED_HOSTS, mistakes);
  if (config.NODE_ENV === "production") {
    mistakes.push(...findExposure({ ...config, trustedProxies }));
  }
  const PUBLIC_URL = readPublicUrl(config, mistakes);
  const topUps = readTopUpConfig(config, mistakes);
  const signInProviders = readProviderConfig(config, environment, mistakes);
  const objectStorage = readObjectStorage(config, mistakes);
  const { PRODUCT_NAME, MAIL_FROM = defaultSender(PRODUCT_NAME, PUBLIC_URL) } = config;
  const dnsServers = parseServers(config.DNS_SERVERS, mistakes);
  const addresses = { PUBLIC_URL, MAIL_FROM, trustedProxies, allowedHosts, dnsServers };
  const derived = { ...addresses, ...given, environment, signInProviders, objectStorage };
  return { config: { ...config, ...derived, ...topUps, ...poolerUrls(config) }, mistakes };
}

/** The base of links and the scope of cookies, so it has no path. */
function readPublicUrl(
  { PUBLIC_URL, PORT }: Pick<Settings, "PUBLIC_URL" | "PORT">,
  mistakes: string[],
): string {
  const text = PUBLIC_URL ?? `http://localhost:${PORT}`;
  const { origin, pathname, search, hash } = new URL(text);
  if (pathname !== "/" || search !== "" || hash !== "") {
    mistakes.push("PUBLIC_URL: must have no path, e.g. https://turnpike.example.");
  }
  return origin;
}

const adminVariables = {
  DATABASE_MIGRATION_URL: true,
  DATABASE_PREPARE: true,
  MIGRATE_PAST_LIVE_INSTANCES: true,
  CATALOG_FILE: true,
  PORT: true,
  PUBLIC_URL: true,
  SEALING_KEY: true,
  LEDGER_KEY: true,
  STRIPE_SECRET_KEY: true,
  STRIPE_WEBHOOK_SECRET: true,
  STRIPE_API_BASE: true,
  MIN_TOP_UP_USD: true,
  MAX_TOP_UP_USD: true,
  PRODUCT_NAME: true,
  COMPANY_NAME: true,
  COMPANY_ADDRESS: true,
  COMPANY_TAX_ID: true,
} as const;

const adminSchema = environmentSchema.pick(adminVariables).extend({
  ...objectsShape,
  /** Absent: the development instance that runs from DATA_DIR. */
  DATABASE_URL: postgresUrl.optional(),
  DATA_DIR: z.string().default(".data"),
  /** Absent: as the database was told before. */
  SANDBOX: z.stringbool().optional(),
  /** Absent: that of the development instance, else refused. */
  ALLOW_PRIVATE_UPSTREAMS: z.stringbool().optional(),
});

export type AdminConfig = Omit<z.infer<typeof adminSchema>, "PUBLIC_URL"> &
  TopUpConfig & { readonly PUBLIC_URL: string } & {
    readonly environment: Environment;
    readonly objectStorage: ObjectStorage | undefined;
    /** A command that needs the configuration must not run with any. */
    readonly mistakes: readonly string[];
  };

/** What the operator's command line needs, with defaults for unreadable values. */
export function readAdminConfig(environment: Environment = process.env): AdminConfig {
  const given = dropEmpty(environment);
  const { issues = [] } = adminSchema.safeParse(given).error ?? {};
  const mistakes = issues.map((issue) => describeSetting(issue, given));
  const broken = new Set(issues.map((issue) => String(issue.path[0])));
  const readable = Object.entries(given).filter(([name]) => !broken.has(name));
  const settings = adminSchema.parse(Object.fromEntries(readable));
  const topUps = readTopUpConfig(settings, mistakes);
  const PUBLIC_URL = readPublicUrl(settings, mistakes);
  const objectStorage = readObjectStorage(settings, mistakes);
  const derived = { ...poolerUrls(settings), ...topUps, PUBLIC_URL, objectStorage };
  return { ...settings, ...derived, environment, mistakes };
}

/** An empty variable counts as unset. */
function dropEmpty(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
}
