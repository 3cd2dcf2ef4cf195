// Brings up a whole Turnpike for development and takes all of it down again. Every part is on a leash,
// and one stop, whatever its reason, ends them in the reverse order of their start.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "@turnpike/db";
import { startPostgres } from "../postgres/start-postgres.ts";
import { bypassProxy } from "../process/bypass-proxy.ts";
import { checkPort } from "../process/check-port.ts";
import { type DevOptions, readDevOptions } from "./dev-options.ts";
import { lockDataDir } from "./lock-data-dir.ts";
import { type Seeded, seed } from "./seed.ts";
import { startConsole, startServer, startUpstream } from "./start-services.ts";
import { watchAncestors } from "./watch-ancestors.ts";
import { writePrivateFile } from "./write-private-file.ts";

type Part = { name: string; exited: Promise<number>; stop(): Promise<void> };

/** What has been started so far, and whether to go on. */
type Run = { undo: (() => unknown)[]; parts: Part[]; stopping: AbortSignal };

/** Runs until it is told to stop or a part ends by itself; returns the exit code. */
export async function runDev(): Promise<number> {
  const stopping = stopSignal();
  const run: Run = { undo: [], parts: [], stopping };
  const stopped = new Promise<void>((resolve) => {
    stopping.addEventListener("abort", () => resolve());
  });
  try {
    // Whatever is still starting when we stop hangs on a leash that our exit lets go of.
    await Promise.race([bringUp(run), stopped]);
    await Promise.race([...run.parts.map(failWhenEnded), stopped]);
    return 0;
  } catch (error) {
    if (stopping.aborted) return 0;
    console.error(describe(error));
    return 1;
  } finally {
    for (const undo of run.undo.reverse()) await undo();
  }
}

/** A failed query's own message holds the whole statement; its cause says what is wrong. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `The database refused: ${error.cause.message}.`;
  return error.message;
}

/** Aborted by Ctrl-C, by a supervisor, or by the end of the command that launched us. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => controller.abort());
  }
  watchAncestors(() => controller.abort());
  return controller.signal;
}

async function bringUp(run: Run): Promise<void> {
  // For our own calls, and for every part: they all inherit this environment.
  Object.assign(process.env, bypassProxy(process.env));
  const options = readDevOptions(process.env);
  const consoleUrl = `http://localhost:${options.port}`;
  run.undo.push(lockDataDir(options.dataDir, consoleUrl));
  const file = join(options.dataDir, "dev.json");
  rmSync(file, { force: true }); // A killed run could not remove its own.
  await checkPort(options.port);

  const database = await openDatabase(run, options);
  const ownerUrl = database.migrationUrl ?? database.databaseUrl;
  await migrate({ url: ownerUrl });
  const seeded = await seed(ownerUrl, options.dataDir);
  const upstream = await startUpstream(options);
  add(run, upstream);
  const vite = await startConsole(options);
  if (vite) add(run, vite);
  const server = await startServer(options, {
    ...database,
    upstreamUrl: upstream.url,
    consoleUrl: vite?.url,
  });
  add(run, server);

  const baseUrl = `${server.url}/v1`;
  run.undo.push(() => rmSync(file, { force: true }));
  const facts = { baseUrl, consoleUrl, ...seeded, databaseUrl: database.databaseUrl };
  writePrivateFile(file, `${JSON.stringify(facts, null, 2)}\n`);
  greet(consoleUrl, baseUrl, seeded);
}

async function openDatabase(run: Run, options: DevOptions) {
  const { databaseUrl, migrationUrl } = options;
  if (databaseUrl !== undefined) return { databaseUrl, migrationUrl };
  const postgres = await startPostgres({ home: join(options.dataDir, "postgres") });
  add(run, { name: "database", ...postgres });
  return { databaseUrl: postgres.appUrl, migrationUrl: postgres.ownerUrl };
}

/** Counts a part as ours to stop. */
function add(run: Run, part: Part): void {
  run.undo.push(() => part.stop());
  run.parts.push(part);
  run.stopping.throwIfAborted();
}

async function failWhenEnded(part: Part): Promise<never> {
  const code = await part.exited;
  throw new Error(`The ${part.name} ended with exit code ${code}, so everything else ends too.`);
}

function greet(consoleUrl: string, baseUrl: string, { apiKey, email, password }: Seeded): void {
  // The terminal it is pasted into does not have our NO_PROXY.
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
