// Starts a whole Turnpike for development and stops all of it again. Whatever the reason for stopping, the
// processes end in the reverse order of their start.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "@turnpike/db";
import { freePort, startScriptedUpstream } from "@turnpike/testing";
import { startPostgres } from "../postgres/start-postgres.ts";
import { bypassProxy } from "../process/bypass-proxy.ts";
import { checkPort } from "../process/check-port.ts";
import { type SupervisedProcess, startSupervised } from "../process/start-supervised.ts";
import { readDevOptions } from "./dev-options.ts";
import { keepSealingKey } from "./keep-sealing-key.ts";
import { lockDataDir } from "./lock-data-dir.ts";
import { type Seeded, seed } from "./seed.ts";
import { startConsole, untilReady } from "./start-console.ts";
import { watchLaunchers } from "./watch-launchers.ts";
import { writePrivateFile } from "./write-private-file.ts";

type Part = Pick<SupervisedProcess, "exited" | "stop">;

/** Rejects when a part fails; the parts are stopped at the end, the latest first. */
type Run = PromiseWithResolvers<void> & { parts: AsyncDisposableStack };

/** Runs until it is asked to stop or one of the processes ends on its own; returns the exit code. */
export async function runDev(): Promise<number> {
  await using parts = new AsyncDisposableStack();
  const run: Run = { parts, ...Promise.withResolvers() };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => run.resolve());
  watchLaunchers(run.resolve);
  // A process that is still starting ends with ours: it is supervised.
  bringUp(run).catch(run.reject);
  const failure = await run.promise.then(() => undefined, describe);
  if (failure === undefined) return 0;
  console.error(failure);
  return 1;
}

/** A failed query's own message contains the whole statement; its cause says what is wrong. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `The database refused: ${error.cause.message}.`;
  return error.message;
}

/** Adds a process to those that are stopped at the end and without which nothing can continue. */
function keep<P extends Part>(run: Run, name: string, part: P): P {
  run.parts.defer(part.stop);
  void part.exited.then((code) =>
    run.reject(new Error(`The ${name} ended with status ${code}, so everything else ends too.`)),
  );
  return part;
}

async function bringUp(run: Run): Promise<void> {
  // For our own calls, and for every process started here: they inherit this environment.
  Object.assign(process.env, bypassProxy(process.env));
  const { root, port, dataDir, ...options } = readDevOptions(process.env);
  const consoleUrl = `http://localhost:${port}`;
  run.parts.use(lockDataDir(dataDir, consoleUrl));
  const file = join(dataDir, "dev.json");
  const removeFile = () => rmSync(file, { force: true });
  removeFile(); // A run that was killed could not.
  await checkPort(port);

  const home = join(dataDir, "postgres");
  const database = options.database ?? keep(run, "database", await startPostgres({ home }));
  const ownerUrl = database.ownerUrl || database.appUrl;
  await migrate({ url: ownerUrl, sandbox: true });
  const seeded = await seed(ownerUrl, dataDir);
  const upstream = await startScriptedUpstream({ keepRequests: 100 });
  const vitePort = await freePort();
  keep(run, "console", startConsole(root, vitePort));
  const env = {
    ...options.server,
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    SANDBOX_UPSTREAM_URL: upstream.baseUrl,
    CONSOLE_DEV_URL: `http://127.0.0.1:${vitePort}`,
    // Visitors of the landing page can ask the sandbox.
    DEMO_API_KEY: process.env.DEMO_API_KEY || seeded.apiKey,
    OBJECTS_FOLDER: process.env.OBJECTS_FOLDER || join(dataDir, "objects"),
    SEALING_KEY: process.env.SEALING_KEY || keepSealingKey(dataDir),
  };
  const server = [process.execPath, join(root, "apps/server/src/main.ts")];
  keep(run, "server", startSupervised(server, "inherit", { cwd: root, env }));
  const origin = `http://127.0.0.1:${port}`;
  await Promise.all([untilReady(env.CONSOLE_DEV_URL), untilReady(`${origin}/readyz`)]);
  const baseUrl = `${origin}/v1`;
  run.parts.defer(removeFile);
  const urls = { databaseUrl: database.appUrl, databaseOwnerUrl: ownerUrl };
  const facts = { baseUrl, consoleUrl, ...seeded, ...urls };
  writePrivateFile(file, `${JSON.stringify(facts, null, 2)}\n`);
  greet(consoleUrl, baseUrl, seeded);
}

function greet(consoleUrl: string, baseUrl: string, { apiKey, email, password }: Seeded): void {
  // The terminal where it is pasted does not have our NO_PROXY.
  const isProxied = Object.keys(bypassProxy(process.env)).length > 0;
  const direct = isProxied ? "--noproxy 127.0.0.1 " : "";
  const body = '{"model":"sandbox/echo","messages":[{"role":"user","content":"Hello"}]}';
  console.log(`
Turnpike is up; Ctrl-C ends all of it.

  Console   ${consoleUrl}
  Sign in   ${email} with the password "${password}"
  API       ${baseUrl}
  Key       ${apiKey}

Paste this to make a call:

  curl ${direct}${baseUrl}/chat/completions \\
    -H "Authorization: Bearer ${apiKey}" \\
    -H "Content-Type: application/json" \\
    -d '${body}'
`);
}
