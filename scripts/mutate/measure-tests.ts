// Measures each test file once, alone and with coverage, and caches the result: a test file is
// measured again only if it changed itself.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTestFile } from "./run-test-file.ts";
import { parseLcov, type TestFile } from "./test-map.ts";

const testFolders = ["packages/**/*.test.ts", "apps/server/**/*.test.ts", "scripts/tidy*.test.ts"];
const measureTimeoutMs = 600_000;

/** `lines` by source, each with the hash of the source at that time. */
type Measured = {
  readonly hash: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly sources: Readonly<Record<string, { hash: string; lines: readonly number[] }>>;
};

/** Test files whose path begins with one of `below` and that pass unchanged; `cacheFile` is updated. */
export async function measureTests(
  root: string,
  environment: NodeJS.ProcessEnv,
  { cacheFile, below }: { readonly cacheFile: string; readonly below: readonly string[] },
): Promise<readonly TestFile[]> {
  const measured = readCache(cacheFile);
  const tests: TestFile[] = [];
  const isWanted = (path: string) => below.some((folder) => path.startsWith(folder));
  for (const path of listTests(root).filter(isWanted)) {
    let known = measured.get(path);
    if (known?.hash !== hashOf(root, path)) {
      known = await measure(root, path, environment);
      measured.set(path, known);
      writeFileSync(cacheFile, JSON.stringify(Object.fromEntries(measured)));
    }
    if (known.ok) tests.push(readTest(root, path, known));
    else console.log(`left out, because it fails unchanged: ${path}`);
  }
  console.log(`${tests.length} test files measured`);
  return tests;
}

function listTests(root: string): readonly string[] {
  const paths = testFolders.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })]);
  return paths.filter((path) => !path.includes("node_modules")).sort();
}

async function measure(
  root: string,
  path: string,
  environment: NodeJS.ProcessEnv,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-coverage-"));
  const coverage = ["--coverage", "--coverage-reporter=lcov", `--coverage-dir=${folder}`];
  const started = performance.now();
  const { ok } = await runTestFile(root, path, environment, measureTimeoutMs, coverage);
  const seconds = (performance.now() - started) / 1_000;
  const report = join(folder, "lcov.info");
  const lines = parseLcov(existsSync(report) ? readFileSync(report, "utf8") : "");
  rmSync(folder, { recursive: true, force: true });
  const sources = [...lines]
    .filter(([source]) => existsSync(join(root, source)))
    .map(([source, set]) => [source, { hash: hashOf(root, source), lines: [...set] }] as const);
  return { hash: hashOf(root, path), ok, seconds, sources: Object.fromEntries(sources) };
}

function readTest(root: string, path: string, { seconds, sources }: Measured): TestFile {
  const entries = Object.entries(sources).map(([source, { hash, lines }]) => {
    const isSame = existsSync(join(root, source)) && hashOf(root, source) === hash;
    return [source, isSame ? new Set(lines) : undefined] as const;
  });
  const text = readFileSync(join(root, path), "utf8");
  const named = [...text.matchAll(/"((?:apps|packages)\/[^"\s]+\.ts)"/g)].map(
    ([, source = ""]) => [source, undefined] as const,
  );
  const spawnsServers = /\b(?:spawnServer|openTestSite)\b/.test(text);
  return { path, seconds, lines: new Map([...entries, ...named]), spawnsServers };
}

/** Guarantees what `measureTests` wrote; empty if there is no such file. */
function readCache(file: string): Map<string, Measured> {
  if (!existsSync(file)) return new Map();
  return new Map(
    Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, Measured>),
  );
}

function hashOf(root: string, path: string): string {
  return createHash("sha256")
    .update(readFileSync(join(root, path)))
    .digest("hex")
    .slice(0, 16);
}
