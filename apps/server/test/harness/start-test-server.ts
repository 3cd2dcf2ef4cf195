// The real server in this process: with its own port, its own database and a scripted
// upstream. One per test file; it closes what it opened itself, and its books must be right at the end.
import { setDefaultTimeout } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectDatabase } from "@turnpike/db";
import {
  type Gateway,
  type GatewayLimits,
  type GatewayTimes,
  RouteHealthBook,
  type RouteLimits,
} from "@turnpike/gateway";
import {
  createTestDatabase,
  inPhase,
  lowPasswordCost,
  patientLimits,
  type ScriptedUpstream,
  startScriptedUpstream,
  type TestDatabase,
} from "@turnpike/testing";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { startJobs } from "../../src/jobs/start-jobs.ts";
import { listen } from "../../src/listen.ts";
import type { ServerTimes } from "../../src/server-times.ts";
import { openServices, type Services } from "../../src/services.ts";
import { testCatalog } from "./test-catalog.ts";

/** What servers of one test share: database, catalog file, upstream. */
export type TestSite = {
  readonly database: TestDatabase;
  /** The owner's connection, for setup and for checks that bypass the server. */
  readonly owner: Connection;
  readonly upstream: ScriptedUpstream;
  /** The complete environment of a server of this site; for `readConfig` or `spawnServer`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

export type SiteOptions = {
  /** Added to the environment; replaces variables of the same name. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: `testCatalog`. */
  readonly catalog?: (upstreamBaseUrl: string) => string;
};

/** Opens everything except the server, for tests that spawn their servers as processes. */
export async function openTestSite(options: SiteOptions = {}): Promise<TestSite> {
  // No test is about the five seconds: a busy machine must not fail one.
  setDefaultTimeout(180_000);
  const upstream = await startScriptedUpstream();
  const database = await createTestDatabase();
  const forTests = { ...patientLimits, applicationName: "test" };
  const owner = connectDatabase({ url: database.ownerUrl, max: 3, ...forTests });
  const folder = mkdtempSync(join(tmpdir(), "turnpike-site-"));
  const catalogFile = join(folder, "catalog.yaml");
  writeFileSync(catalogFile, (options.catalog ?? testCatalog)(upstream.baseUrl));
  const environment = {
    NODE_ENV: "test",
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: database.url,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    CATALOG_FILE: catalogFile,
    OBJECTS_FOLDER: join(folder, "objects"),
    SANDBOX: "true",
    SANDBOX_UPSTREAM_URL: upstream.baseUrl,
    ALLOW_PRIVATE_UPSTREAMS: "true",
    LOG_LEVEL: "info",
    // No load balancer has to notice that a server of a test stops.
    DRAIN_NOTICE_MS: "0",
    BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
    // One account with one key represents many.
    CALLS_PER_ACCOUNT_MAX: "2000",
    CALLS_PER_KEY_MAX: "2000",
    ...options.environment,
  };
  return {
    database,
    owner,
    upstream,
    environment,
    async close() {
      await upstream.close();
      await owner.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type TestServer = Omit<TestSite, "close"> & {
  readonly services: Services;
  /** Without `/v1`. */
  readonly url: string;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly port: number;
  /** Of every route, as the router knows it: `/v1/models/*`. */
  readonly paths: readonly string[];
  /** Closes the site too if the server opened it. */
  readonly close: () => Promise<void>;
};

export type ServerOptions = SiteOptions & {
  /** An open site instead of a new one. Its opener closes it, once every server on it has been closed. */
  readonly site?: Omit<TestSite, "close">;
  /** Shorter than in production, so that tests need not wait ten seconds. */
  readonly times?: Partial<GatewayTimes>;
  /** The same for the server's jobs, its heartbeat and what depends on it. */
  readonly serverTimes?: Partial<ServerTimes>;
  /** The same for the time that upstreams may take. */
  readonly limits?: Partial<GatewayLimits>;
  /** Decides whether one more call can be admitted, instead of the server's own function. */
  readonly load?: Gateway["load"];
  /**
   * When routes are skipped. Never by default: a test file has more failing upstreams in half a
   * minute than any provider.
   */
  readonly routeLimits?: Partial<RouteLimits>;
  /** The same for clients that stop reading. */
  readonly idleSeconds?: number;
};

const neverOpen: Partial<RouteLimits> = {
  leastCalls: Number.POSITIVE_INFINITY,
  connectFailures: Number.POSITIVE_INFINITY,
};

/** Starts a server in this process; logs only fatal errors unless `environment` says otherwise. */
export function startTestServer(options: ServerOptions = {}): Promise<TestServer> {
  return inPhase("servers", () => openTestServer(options));
}

async function openTestServer(options: ServerOptions): Promise<TestServer> {
  const { times, serverTimes, limits, load, idleSeconds, ...others } = options;
  const { routeLimits = neverOpen, ...siteOptions } = others;
  const environment = { LOG_LEVEL: "fatal", ...options.environment };
  const site =
    options.site === undefined
      ? await openTestSite({ ...siteOptions, environment })
      : { ...options.site, close: async () => undefined };
  const words = serverTimes === undefined ? [] : [`--times=${JSON.stringify(serverTimes)}`];
  const config = readConfig({ ...site.environment, ...environment }, words);
  const opened = await openServices(config, { passwordCost: lowPasswordCost });
  const gateway = {
    ...opened.gateway,
    ...(load !== undefined && { load }),
    times: { ...opened.gateway.times, ...times },
    limits: { ...opened.gateway.limits, ...limits },
    routeHealth: new RouteHealthBook(routeLimits),
  };
  const services: Services = { ...opened, gateway };
  const stopJobs = startJobs(services);
  const state = { draining: false };
  let paths: readonly string[] = [];
  const server = listen(
    services,
    (listener) => {
      const app = createApp(services, { ...listener, state });
      paths = app.routes.map(({ path }) => path);
      return app;
    },
    idleSeconds === undefined ? {} : { idleSeconds },
  );
  const url = `http://127.0.0.1:${server.port}`;
  return {
    ...site,
    services,
    url,
    baseUrl: `${url}/v1`,
    port: Number(server.port),
    paths,
    async close() {
      await server.stop(true);
      // Some continue without their clients, and an upstream that waits for its test never answers.
      services.endAnswers("test server closed");
      await stopJobs();
      await services.close();
      await site.close();
    },
  };
}
