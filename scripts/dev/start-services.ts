// The processes of `bun dev` besides PostgreSQL, each started with the environment it needs and
// awaited until it answers.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../process/check-port.ts";
import { type SupervisedProcess, startSupervised } from "../process/start-supervised.ts";
import type { DevOptions } from "./dev-options.ts";

export type Service = SupervisedProcess & { name: string; url: string };

/** A machine that is busy with something else may take minutes; a part that ended is told at once. */
const readyTimeoutMs = 300_000;
const answerTimeoutMs = 10_000;

/** The upstream behind the `sandbox/*` models; `url` is what an OpenAI client would be given. */
export async function startUpstream(options: DevOptions): Promise<Service> {
  const script = join(options.root, "packages/testing/src/run-scripted-upstream.ts");
  const running = startSupervised(
    { command: process.execPath, args: [script], stopSignals: ["SIGTERM"], graceMs: 1_000 },
    "pipe",
  );
  running.child.stderr?.pipe(process.stderr);
  const url = await Promise.race([readBaseUrl(running), running.exited]);
  if (typeof url === "string") return { ...running, name: "scripted upstream", url };
  throw new Error(`The scripted upstream ended with exit code ${url} before it was ready.`);
}

/** Its first line is `{"baseUrl":"http://127.0.0.1:…/v1"}`. */
async function readBaseUrl(running: SupervisedProcess): Promise<string> {
  const stdout = running.child.stdout;
  if (!stdout) throw new Error("The scripted upstream has no output to read.");
  const [line] = await once(createInterface({ input: stdout }), "line");
  return String(JSON.parse(String(line)).baseUrl);
}

/** Vite with hot reload, on a port of its own; undefined as long as there is no console. */
export async function startConsole(options: DevOptions): Promise<Service | undefined> {
  const folder = join(options.root, "apps/console");
  if (!existsSync(join(folder, "vite.config.ts"))) return undefined;
  const port = await freePort();
  // Not by `bun run`, which would report Vite's exit code 143 as an error at every normal end.
  const vite = join(folder, "node_modules/vite/bin/vite.js");
  const address = ["--host", "127.0.0.1", "--port", String(port), "--strictPort"];
  const running = startSupervised(
    {
      command: process.execPath,
      args: ["--bun", vite, ...address, "--logLevel", "warn", "--clearScreen", "false"],
      cwd: folder,
      stopSignals: ["SIGTERM"],
      graceMs: 1_000,
    },
    "inherit",
  );
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswers("console", `${url}/`, running);
  return { ...running, name: "console", url };
}

export type ServerWiring = {
  databaseUrl: string;
  /** Undefined where one role does everything: the server then says so in its log. */
  migrationUrl: string | undefined;
  upstreamUrl: string;
  consoleUrl: string | undefined;
};

export async function startServer(options: DevOptions, wiring: ServerWiring): Promise<Service> {
  const url = `http://127.0.0.1:${options.port}`;
  const running = startSupervised(
    {
      command: process.execPath,
      args: [join(options.root, "apps/server/src/main.ts")],
      cwd: options.root,
      // The second SIGTERM tells it to stop waiting for running streams.
      stopSignals: ["SIGTERM", "SIGTERM"],
      graceMs: 2_000,
    },
    "inherit",
    {
      ...process.env,
      // A developer is all of the callers, with one key.
      CALLS_PER_ACCOUNT_MAX: process.env.CALLS_PER_ACCOUNT_MAX || "2000",
      CALLS_PER_KEY_MAX: process.env.CALLS_PER_KEY_MAX || "2000",
      // Its password is published, its top-ups cost nothing, and your provider's key pays: nobody
      // else on the network may come in unless you say so.
      HOST: process.env.HOST || "127.0.0.1",
      NODE_ENV: "development",
      PORT: String(options.port),
      DATABASE_URL: wiring.databaseUrl,
      CATALOG_FILE: options.catalogFile,
      SANDBOX: "true",
      SANDBOX_UPSTREAM_URL: wiring.upstreamUrl,
      ALLOW_PRIVATE_UPSTREAMS: "true",
      // Bun's own default, 256, silently stalls the 257th upstream stream.
      BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
      // A developer who stops it waits for nobody, or for a running answer a moment.
      DRAIN_NOTICE_MS: "0",
      DRAIN_STREAMS_MS: "1500",
      ...(wiring.migrationUrl === undefined ? {} : { DATABASE_MIGRATION_URL: wiring.migrationUrl }),
      ...(wiring.consoleUrl === undefined ? {} : { CONSOLE_DEV_URL: wiring.consoleUrl }),
    },
  );
  await waitUntilAnswers("server", `${url}/readyz`, running);
  return { ...running, name: "server", url };
}

async function waitUntilAnswers(
  name: string,
  url: string,
  { exited, stop }: SupervisedProcess,
): Promise<void> {
  const ended = new AbortController();
  void exited.then(() => ended.abort());
  const deadline = Date.now() + readyTimeoutMs;
  while (!ended.signal.aborted && Date.now() < deadline) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(
      () => undefined,
    );
    if (answer?.ok && !ended.signal.aborted) return;
    await Bun.sleep(50);
  }
  if (ended.signal.aborted) {
    throw new Error(`The ${name} ended with exit code ${await exited} before it was ready.`);
  }
  await stop();
  throw new Error(`The ${name} did not answer ${url} within ${readyTimeoutMs / 1000} s.`);
}
