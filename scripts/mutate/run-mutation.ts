// One mutation run: a scratch copy, one PostgreSQL for all mutants, a map of which tests reach which
// line, then one mutant after the other. The copy's file is always restored after each.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { prepareTemplate } from "@turnpike/testing";
import { startPostgres } from "../postgres/start-postgres.ts";
import { checkTypes, projectOf } from "./check-types.ts";
import { findMutants, listSqlFunctionFiles } from "./find-mutants.ts";
import { measureTests } from "./measure-tests.ts";
import { applyEdit, type Mutant, sampleMutants } from "./mutant.ts";
import type { MutateOptions } from "./mutate-options.ts";
import {
  appendResult,
  describeMutant,
  describeResults,
  type Result,
  readResults,
} from "./results.ts";
import { runTestFile } from "./run-test-file.ts";
import { copyRepository } from "./scratch-copy.ts";
import { findSqlFunctions } from "./sql-rules.ts";
import { chooseTests, findCallers, type TestFile } from "./test-map.ts";

const root = resolve(import.meta.dirname, "../..");
/** A test may take this many times its unchanged duration, plus this much, before it is ended. */
const patience = { factor: 3, extraMs: 15_000 };

const slowTestSeconds = 3;

type Chosen = { readonly target: string; readonly mutant: Mutant };
type Site = {
  readonly copy: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The name of a template database with the copy's current schema. */
  readonly newTemplate: () => Promise<string>;
};

/** Returns the exit code: 1 if a mutant survived. */
export async function runMutation(options: MutateOptions): Promise<number> {
  const chosen = chooseMutants(options);
  if (options.list) {
    for (const { mutant } of chosen) console.log(describeMutant(mutant));
    return 0;
  }
  const results = resolve(options.results);
  const known = readResults(results);
  const open = chosen.filter(({ mutant }) => {
    const verdict = known.get(mutant.id)?.verdict;
    return verdict === undefined || (options.retry && verdict === "survived");
  });
  console.log(`${chosen.length} mutants, ${open.length} to try`);
  if (open.length > 0) await withSite((site) => judgeAll(site, open, options, results));
  const told = readResults(results);
  const own = chosen.flatMap(({ mutant }) => told.get(mutant.id) ?? []);
  console.log(`\n${describeResults(own)}`);
  return own.some(({ verdict }) => verdict === "survived") ? 1 : 0;
}

function chooseMutants({ targets, sample, seed, only }: MutateOptions): readonly Chosen[] {
  return targets.flatMap((target) => {
    const found = findMutants(root, target);
    const wanted =
      only === undefined ? found : found.filter((m) => describeMutant(m).includes(only));
    return sampleMutants(wanted, sample, seed).map((mutant) => ({ target, mutant }));
  });
}

/** Gives `use` a scratch copy and a database; both are removed afterwards. */
async function withSite(use: (site: Site) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-mutate-postgres-"));
  chmodSync(folder, 0o711); // As root, PostgreSQL runs as another user, who must be able to enter.
  const copy = copyRepository(root);
  const postgres = await startPostgres({ home: join(folder, "postgres"), durable: false });
  const clear = async () => {
    await postgres.stop();
    for (const place of [postgres.home, folder]) rmSync(place, { recursive: true, force: true });
    copy.remove();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(130)));
  }
  try {
    const { migrate } = await importDatabasePackage(copy.root);
    const newTemplate = () =>
      prepareTemplate(postgres.ownerUrl, (url) => migrate({ url, sandbox: true }));
    const environment = {
      ...process.env,
      NODE_ENV: "test",
      TEST_DATABASE_URL: postgres.ownerUrl,
      TEST_TEMPLATE: await newTemplate(),
      TEST_APP_PASSWORD: postgres.appPassword,
      BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
    };
    await use({ copy: copy.root, environment, newTemplate });
  } finally {
    await clear();
  }
}

/** Guarantees the copy's own `@turnpike/db`, which migrates with the copy's SQL files. */
function importDatabasePackage(copy: string): Promise<typeof import("@turnpike/db")> {
  return import(join(copy, "packages/db/src/index.ts")) as Promise<typeof import("@turnpike/db")>;
}

async function judgeAll(
  site: Site,
  open: readonly Chosen[],
  options: MutateOptions,
  results: string,
): Promise<void> {
  const cacheFile = `${results}.tests.json`;
  const measuring = { cacheFile, below: options.tests };
  const tests = await measureTests(site.copy, site.environment, measuring);
  const callers = findSqlCallers(site.copy);
  for (const project of new Set(open.map(({ mutant }) => projectOf(mutant.path)))) {
    if (!(await checkTypes(site.copy, project))) throw new Error(`${project} does not type-check.`);
  }
  for (const { target, mutant } of open) {
    const started = performance.now();
    const chosen = chooseTests(tests, mutant, options.seconds, callers);
    const outcome = await tryMutant(site, mutant, chosen);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const { id, path, line, change } = mutant;
    const result: Result = { id, target, path, line, change, ...outcome, seconds };
    appendResult(results, result);
    const by = outcome.by === undefined ? `${outcome.tests} test files` : outcome.by;
    console.log(`${result.verdict.padEnd(8)} ${describeMutant(mutant)}  (${by}, ${seconds} s)`);
  }
}

function findSqlCallers(copy: string): ReadonlyMap<string, readonly string[]> {
  const read = (path: string) => ({ path, text: readFileSync(join(copy, path), "utf8") });
  const sources = [...new Bun.Glob("packages/*/src/**/*.ts").scanSync({ cwd: copy })];
  const product = sources.filter((path) => !/\.(?:test|fixture)\.ts$/.test(path)).map(read);
  const files = listSqlFunctionFiles(copy).map(read);
  const definitions = files.flatMap((file) =>
    findSqlFunctions([file]).map(({ name, start, end }) => ({
      name,
      body: file.text.slice(start, end),
    })),
  );
  return findCallers(product, definitions);
}

async function tryMutant(
  site: Site,
  mutant: Mutant,
  tests: readonly TestFile[],
): Promise<Pick<Result, "verdict" | "by" | "tests">> {
  const file = join(site.copy, mutant.path);
  const original = readFileSync(file, "utf8");
  try {
    writeFileSync(file, applyEdit(original, mutant));
    const environment = { ...site.environment };
    if (mutant.sqlFunction !== undefined) {
      const template = await site.newTemplate().catch(() => undefined);
      if (template === undefined) return { verdict: "invalid", tests: 0 };
      environment.TEST_TEMPLATE = template;
    }
    for (const [index, { path, seconds }] of tests.entries()) {
      const timeoutMs = seconds * 1_000 * patience.factor + patience.extraMs;
      const { ok, late } = await runTestFile(site.copy, path, environment, timeoutMs);
      if (ok) continue;
      const caught = { verdict: "caught", by: path, tests: index + 1 } as const;
      if (!late && seconds < slowTestSeconds) return caught;
      // A busy machine fails slow tests too: the mutant is the cause only if the test passes without it.
      writeFileSync(file, original);
      if ((await runTestFile(site.copy, path, site.environment, timeoutMs)).ok) return caught;
      writeFileSync(file, applyEdit(original, mutant));
    }
    const isSource = mutant.sqlFunction === undefined;
    const isAccepted = !isSource || (await checkTypes(site.copy, projectOf(mutant.path)));
    return { verdict: isAccepted ? "survived" : "invalid", tests: tests.length };
  } finally {
    writeFileSync(file, original);
  }
}
