// Runs the suites one after the other, each in as many processes as it has shards, against one PostgreSQL in a temporary
// folder, and adds up what they report. In any case, the database and the folder are removed afterwards.
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { migrate } from "@turnpike/db";
import { prepareTemplate } from "@turnpike/testing";
import { buildConsole } from "../build/build-console.ts";
import { type RunningPostgres, startPostgres } from "../postgres/start-postgres.ts";
import { bypassProxy } from "../process/bypass-proxy.ts";
import { type SupervisedProcess, startSupervised } from "../process/start-supervised.ts";
import { collectFailures } from "./collect-failures.ts";
import { type Count, describeCount, hasSucceeded, readCount } from "./count-tests.ts";

const root = join(import.meta.dirname, "../..");

type Suite = { name: string; command: readonly string[]; cwd: string };
type SuiteResult = Count & { failures: string[] };

/** Returns the exit code. `files` are patterns as `bun test` takes them; none means everything. */
export function runTests(files: readonly string[]): Promise<number> {
  return runBesidePostgres(async (run) => {
    const total: SuiteResult = { passed: 0, failed: 0, skipped: 0, failures: [] };
    for (const place of places) {
      const suites = chooseSuites(place, files);
      if (suites.length === 0) continue;
      const isReady = place.name !== "browser" || (await prepareBrowser(run));
      const counts = isReady
        ? await Promise.all(suites.map((suite) => countSuite(suite, run(suite))))
        : [failedBefore("The console does not build; Vite's output says why.")];
      // All shards are skipped for a reason, or none is.
      if (counts.some(hasRun) && !counts.every(hasRun)) {
        counts.push(failedBefore(`A shard of ${place.name} ran no test.`));
      }
      for (const count of counts) {
        total.passed += count.passed;
        total.failed += count.failed;
        total.skipped += count.skipped;
        total.failures.push(...count.failures);
      }
    }
    // Again at the end: often only the last lines of a long log are read.
    if (total.failures.length > 0)
      console.log(["--- failed tests", ...total.failures].join("\n\n"));
    if (total.skipped > 0)
      console.log(`--- ${total.skipped} skipped; the reasons are printed above`);
    // The last line is read by `.ci/run`.
    console.log(describeCount(total));
    return hasSucceeded(total) ? 0 : 1;
  });
}

function failedBefore(reason: string): SuiteResult {
  return { passed: 0, failed: 1, skipped: 0, failures: [reason] };
}

function hasRun({ passed, failed, skipped }: Count): boolean {
  return passed + failed + skipped > 0;
}

/** What the shards share: a built console, and Chromium, which its package unpacks when it is first asked for. */
async function prepareBrowser(run: Run): Promise<boolean> {
  if ((await buildConsole()) !== 0) return false;
  const command = [process.execPath, "unpack-chromium.ts"];
  await run({ name: "chromium", command, cwd: join(root, "apps/console/e2e") }).exited;
  return true;
}

/** A program of `apps/console/e2e` about the pages that are named, or all of them; returns the exit code. */
export function visitPages(program: string, names: readonly string[]): Promise<number> {
  const command = [process.execPath, program, ...names];
  return runBesidePostgres(async (run) => {
    if ((await buildConsole()) !== 0) return 1;
    const running = run({ name: program, command, cwd: join(root, "apps/console/e2e") });
    running.child.stdout?.pipe(process.stdout);
    running.child.stderr?.pipe(process.stderr);
    return (await running.exited) === 0 ? 0 : 1;
  });
}

type Run = (suite: Suite) => SupervisedProcess;

/** Gives `use` a way to start processes with a database to clone; returns its exit code. */
async function runBesidePostgres(use: (run: Run) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-test-"));
  chmodSync(folder, 0o711); // As root, PostgreSQL runs as another user, who must be able to enter.
  let postgres: RunningPostgres | undefined;
  const running: SupervisedProcess[] = [];
  const clear = async () => {
    await Promise.all(running.map((one) => one.stop()));
    await postgres?.stop();
    if (postgres) rmSync(postgres.home, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(130)));
  }
  try {
    postgres = await startPostgres({ home: join(folder, "postgres"), durable: false });
    const environment = await prepareEnvironment(postgres);
    return await use((suite) => {
      const started = startSuite(suite, environment);
      running.push(started);
      return started;
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await clear();
  }
}

async function prepareEnvironment(postgres: RunningPostgres): Promise<NodeJS.ProcessEnv> {
  const template = await prepareTemplate(postgres.ownerUrl, (url) =>
    migrate({ url, sandbox: true }),
  );
  return {
    ...process.env,
    ...bypassProxy(process.env),
    NODE_ENV: "test",
    TEST_DATABASE_URL: postgres.ownerUrl,
    TEST_TEMPLATE: template,
    TEST_APP_PASSWORD: postgres.appPassword,
    // As `bun run start` does: without it the 257th upstream stream stalls.
    BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
  };
}

/** Ends tests that hang. Generous, because a busy machine is many times slower. */
const testTimeout = "--timeout=180000";

/**
 * Separate runs: Solid needs other resolve conditions, the browser tests one environment for many files. `shards`: as
 * many processes share all files of the place.
 */
const places = [
  {
    name: "server",
    folder: "",
    options: ["--parallel=2", testTimeout],
    all: ["packages", "apps/server", "scripts"],
    shards: 1,
  },
  {
    name: "console",
    folder: "apps/console",
    options: ["--conditions=browser", testTimeout],
    all: ["./src", "./test"],
    shards: 1,
  },
  { name: "browser", folder: "apps/console/e2e", options: [testTimeout], all: [], shards: 2 },
] as const;

type Place = (typeof places)[number];

/** A file belongs to the suite of the deepest folder that contains it. */
function placeOf(file: string): Place {
  const path = relative(root, resolve(root, file));
  return places.findLast(({ folder }) => `${path}/`.startsWith(`${folder}/`)) ?? places[0];
}

function chooseSuites(place: Place, files: readonly string[]): readonly Suite[] {
  const own = files.filter((file) => placeOf(file) === place);
  if (files.length > 0 && own.length === 0) return [];
  const patterns = own.map((file) => relative(place.folder, file)).filter(Boolean);
  const base = [process.execPath, "test", ...place.options];
  const cwd = join(root, place.folder);
  if (patterns.length > 0) return [{ name: place.name, command: [...base, ...patterns], cwd }];
  if (place.shards === 1) return [{ name: place.name, command: [...base, ...place.all], cwd }];
  return Array.from({ length: place.shards }, (_, at) => {
    const shard = `${at + 1}/${place.shards}`;
    const command = [...base, `--shard=${shard}`, ...place.all];
    return { name: `${place.name} ${shard}`, command, cwd };
  });
}

function startSuite(suite: Suite, environment: NodeJS.ProcessEnv): SupervisedProcess {
  return startSupervised(suite.command, "pipe", { cwd: suite.cwd, env: environment });
}

async function countSuite(suite: Suite, running: SupervisedProcess): Promise<SuiteResult> {
  console.log(`--- ${suite.name}`);
  let tail = "";
  const failures = collectFailures();
  const show = (target: NodeJS.WriteStream) => (chunk: Buffer) => {
    target.write(chunk);
    failures.read(chunk.toString());
    tail = (tail + chunk.toString()).slice(-20_000);
  };
  running.child.stdout?.on("data", show(process.stdout));
  running.child.stderr?.on("data", show(process.stderr));
  const closed = once(running.child, "close");
  const code = await running.exited;
  await closed;
  const count = readCount(tail, code === 0 ? 0 : 1);
  console.log(`--- ${suite.name}: ${describeCount(count)}`);
  return { ...count, failures: failures.found };
}
