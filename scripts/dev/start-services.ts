// The processes of `bun dev` besides PostgreSQL, each started with the environment it needs and
// awaited until it responds.
import { existsSync } from "node:fs";
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

/** The upstream behind the `sandbox/*` models; an OpenAI client would be given `url` plus `/v1`. */
export async function startUpstream({ root }: DevOptions): Promise<Service> {
  const port = await freePort();
  const script = join(root, "packages/testing/src/run-scripted-upstream.ts");
  return startService("scripted upstream", `http://127.0.0.1:${port}`, "/v1/models", {
    args: [script, String(port)],
  });
}

/** Vite with hot reload, on its own port; undefined if there is no console. */
export async function startConsole({ root }: DevOptions): Promise<Service | undefined> {
  const cwd = join(root, "apps/console");
  if (!existsSync(join(cwd, "vite.config.ts"))) return undefined;
  const port = await freePort();
  // Not by `bun run`, which would report Vite's exit code 143 as an error at every normal end.
  const vite = ["--bun", join(cwd, "node_modules/vite/bin/vite.js")];
  const address = ["--host", "127.0.0.1", "--port", String(port), "--strictPort"];
  return startService("console", `http://127.0.0.1:${port}`, "/", {
    args: [...vite, ...address, "--logLevel", "warn", "--clearScreen", "false"],
    cwd,
  });
}

/** The gateway, with what `wiring` adds to the environment of `bun dev`. */
export function startServer(
  { root, port, catalogFile }: DevOptions,
  wiring: Readonly<Record<string, string | undefined>>,
): Promise<Service> {
  const environment = {
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
  const program = {
    args: [join(root, "apps/server/src/main.ts")],
    cwd: root,
    // The second SIGTERM ends running streams immediately.
    stopSignals: ["SIGTERM", "SIGTERM"] as const,
    graceMs: 2_000,
  };
  return startService("server", `http://127.0.0.1:${port}`, "/readyz", program, environment);
}

/** Resolves when `url + path` responds with success; throws if it ends before, or takes too long. */
async function startService(
  name: string,
  url: string,
  path: string,
  program: Partial<SupervisedProgram> & Pick<SupervisedProgram, "args">,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Service> {
  const defaults = { command: process.execPath, stopSignals: ["SIGTERM"] as const, graceMs: 1_000 };
  const running = startSupervised({ ...defaults, ...program }, "inherit", environment);
  let exitCode: number | undefined;
  void running.exited.then((code) => {
    exitCode = code;
  });
  const deadline = Date.now() + readyTimeoutMs;
  while (exitCode === undefined && Date.now() < deadline) {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const answer = await fetch(url + path, { signal }).catch(() => undefined);
    if (answer?.ok && exitCode === undefined) return { ...running, name, url };
    await Bun.sleep(50);
  }
  await running.stop();
  throw new Error(
    exitCode === undefined
      ? `The ${name} did not respond at ${url}${path} within ${readyTimeoutMs / 1000} s.`
      : `The ${name} ended with exit code ${exitCode} before it was ready.`,
  );
}
