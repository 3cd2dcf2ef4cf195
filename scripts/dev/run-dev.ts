// Starts a whole Turnpike for development and stops all of it again. Whatever the reason for stopping, the
// processes end in the reverse order of their start.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "@turnpike/db";
import { startScriptedUpstream } from "@turnpike/testing";
import { startPostgres } from "../postgres/start-postgres.ts";
import { bypassProxy } from "../process/bypass-proxy.ts";
import { checkPort } from "../process/check-port.ts";
import { readDevOptions } from "./dev-options.ts";
import { lockDataDir } from "./lock-data-dir.ts";
import { type Seeded, seed } from "./seed.ts";
import { startConsole, startServer } from "./start-services.ts";
import { watchLaunchers } from "./watch-launchers.ts";
import { writePrivateFile } from "./write-private-file.ts";

type Part = { name: string; exited: Promise<number>; stop(): Promise<void> };

/** What to undo at the end, latest last; `ended` rejects when something fails. */
type Run = { undo: (() => unknown)[]; ended: PromiseWithResolvers<void> };

/** Runs until it is asked to stop or one of the processes ends on its own; returns the exit code. */
export async function runDev(): Promise<number> {
  const run: Run = { undo: [], ended: Promise.withResolvers() };
  const stop = () => run.ended.resolve();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  watchLaunchers(stop);
  try {
    bringUp(run).catch(run.ended.reject);
    await run.ended.promise;
    return 0;
  } catch (error) {
    console.error(describe(error));
    return 1;
  } finally {
    // A process that is still starting ends with ours: it is supervised.
    for (let undo = run.undo.pop(); undo; undo = run.undo.pop()) await undo();
  }
}

/** A failed query's own message contains the whole statement; its cause says what is wrong. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `The database refused: ${error.cause.message}.`;
  return error.message;
}

async function bringUp(run: Run): Promise<void> {
  // For our own calls, and for every process started here: they inherit this environment.
  Object.assign(process.env, bypassProxy(process.env));
  const options = readDevOptions(process.env);
  const consoleUrl = `http://localhost:${options.port}`;
  run.undo.push(lockDataDir(options.dataDir, consoleUrl));
  const file = join(options.dataDir, "dev.json");
  rmSync(file, { force: true }); // A run that was killed could not remove it.
  checkPort(options.port);

  const home = join(options.dataDir, "postgres");
  const database =
    options.database ?? keep(run, { name: "database", ...(await startPostgres({ home })) });
  const ownerUrl = database.ownerUrl || database.appUrl;
  await migrate({ url: ownerUrl });
  const seeded = await seed(ownerUrl, options.dataDir);
  const upstream = await startScriptedUpstream({ keepRequests: 100 });
  const vite = keep(run, await startConsole(options));
  const server = await startServer(options, {
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    SANDBOX_UPSTREAM_URL: upstream.baseUrl,
    CONSOLE_DEV_URL: vite.url,
  });
  const baseUrl = `${keep(run, server).url}/v1`;
  run.undo.push(() => rmSync(file, { force: true }));
  const facts = { baseUrl, consoleUrl, ...seeded, databaseUrl: database.appUrl };
  writePrivateFile(file, `${JSON.stringify(facts, null, 2)}\n`);
  greet(consoleUrl, baseUrl, seeded);
}

/** Adds a process to those that are stopped at the end and without which nothing can continue. */
function keep<P extends Part>(run: Run, part: P): P {
  run.undo.push(() => part.stop());
  void part.exited.then((code) =>
    run.ended.reject(
      new Error(`The ${part.name} ended with exit code ${code}, so everything else ends too.`),
    ),
  );
  return part;
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
