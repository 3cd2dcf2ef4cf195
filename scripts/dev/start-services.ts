// The programs of `bun dev` besides PostgreSQL, each started with the environment it needs and awaited
// until it responds.
import { join } from "node:path";
import { freePort } from "../process/check-port.ts";
import {
  type SupervisedProcess,
  type SupervisedProgram,
  startSupervised,
} from "../process/start-supervised.ts";
import type { DevOptions } from "./dev-options.ts";

export type Service = SupervisedProcess & { name: string; url: string };

/** A busy machine may need minutes; a service that ends is noticed immediately. */
const readyTimeoutMs = 300_000;
const answerTimeoutMs = 10_000;

/** Vite with hot reload, on its own port. */
export async function startConsole({ root }: DevOptions): Promise<Service> {
  const cwd = join(root, "apps/console");
  const port = await freePort();
  // Not by `bun run`, which would report Vite's exit code 143 as an error at every normal end.
  const vite = ["--bun", join(cwd, "node_modules/vite/bin/vite.js")];
  const address = ["--host", "127.0.0.1", "--port", String(port), "--strictPort"];
  const args = [...vite, ...address, "--logLevel", "warn", "--clearScreen", "false"];
  return waitUntilReady("console", `http://127.0.0.1:${port}`, "/", start({ args, cwd }));
}

/** The gateway, with what `wiring` adds to the environment of `bun dev`. */
export function startServer(
  { root, port, catalogFile }: DevOptions,
  wiring: NodeJS.ProcessEnv,
): Promise<Service> {
  const env = {
    // One developer with one key makes all the calls.
    CALLS_PER_ACCOUNT_MAX: "2000",
    CALLS_PER_KEY_MAX: "2000",
    // The password is published, top-ups cost nothing, and your provider's key pays: only this
    // machine may connect unless configured otherwise.
    HOST: "127.0.0.1",
    ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== "")),
    NODE_ENV: "development",
    PORT: String(port),
    CATALOG_FILE: catalogFile,
    SANDBOX: "true",
    ALLOW_PRIVATE_UPSTREAMS: "true",
    // Bun's own default, 256, silently stalls the 257th upstream stream.
    BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
    // A developer who stops it waits briefly for a running answer, and for nothing else.
    DRAIN_NOTICE_MS: "0",
    DRAIN_STREAMS_MS: "1500",
    ...wiring,
  };
  const program = start({
    args: [join(root, "apps/server/src/main.ts")],
    cwd: root,
    env,
    // The second SIGTERM ends running streams immediately.
    stopSignals: ["SIGTERM", "SIGTERM"],
    graceMs: 2_000,
  });
  return waitUntilReady("server", `http://127.0.0.1:${port}`, "/readyz", program);
}

function start(program: Partial<SupervisedProgram> & { args: readonly string[] }) {
  const defaults = { command: process.execPath, stopSignals: ["SIGTERM"] as const, graceMs: 1_000 };
  return startSupervised({ ...defaults, ...program }, "inherit");
}

/** Resolves when `url + path` responds with success; throws if it ends before, or takes too long. */
async function waitUntilReady(
  name: string,
  url: string,
  path: string,
  running: SupervisedProcess,
): Promise<Service> {
  const deadline = Date.now() + readyTimeoutMs;
  while (Date.now() < deadline) {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const answer = await fetch(url + path, { signal }).catch(() => undefined);
    if (answer?.ok) return { ...running, name, url };
    const code = await Promise.race([running.exited, Bun.sleep(50)]);
    if (code !== undefined) {
      throw new Error(`The ${name} ended with exit code ${code} before it was ready.`);
    }
  }
  await running.stop();
  throw new Error(
    `The ${name} did not respond at ${url}${path} within ${readyTimeoutMs / 1000} s.`,
  );
}
