// What the environment may change about `bun dev`, read in one place with one sentence per mistake, and
// the environment that the server gets.
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "../..");

export function readDevOptions(environment: NodeJS.ProcessEnv) {
  const port = Number(environment.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is "${environment.PORT}", which is not a port number from 1 to 65535.`);
  }
  const appUrl = environment.DATABASE_URL;
  return {
    root,
    port,
    dataDir: resolve(root, environment.DATA_DIR || ".data"),
    /** Undefined: `bun dev` starts its own. Its owner migrates, if that is another role. */
    database: appUrl ? { appUrl, ownerUrl: environment.DATABASE_MIGRATION_URL } : undefined,
    server: {
      // One developer with one key makes all the calls.
      CALLS_PER_ACCOUNT_MAX: "2000",
      CALLS_PER_KEY_MAX: "2000",
      // The password is published, top-ups cost nothing, and your provider's key pays: only this
      // machine may connect unless configured otherwise.
      HOST: "127.0.0.1",
      ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== "")),
      NODE_ENV: "development",
      PORT: String(port),
      CATALOG_FILE: resolve(root, environment.CATALOG_FILE || "catalog.yaml"),
      SANDBOX: "true",
      ALLOW_PRIVATE_UPSTREAMS: "true",
      ALLOW_PRIVATE_WEBHOOKS: "true",
      // Bun's own default, 256, silently stalls the 257th upstream stream.
      BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
      // A developer who stops it waits briefly for a running answer, and for nothing else.
      DRAIN_NOTICE_MS: "0",
      DRAIN_STREAMS_MS: "1500",
    },
  };
}
