// Chooses the test files that depend on what differs from a commit, for a quick answer while working. What no test
// names or imports is reported, and so is how much was left out.
import { spawnSync } from "node:child_process";
import { isTestFile, readSources, root } from "../tidy/read-sources.ts";
import { buildModuleGraph, findDependents, type ModuleGraph } from "./module-graph.ts";

export type Changed = {
  readonly base: string;
  /** Files that differ, committed or not. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Files that no test depends on. */
  readonly untested: readonly string[];
  readonly leftOut: number;
};

/** A change of these may change any test. */
const everything = /^(package\.json|bun\.lock|bunfig\.toml|tsconfig\.json|patches\/.*)$/;

/** By path or folder: what its files depend on without importing or naming it. */
const unnamed: Readonly<Record<string, readonly string[]>> = {
  "apps/console/e2e/": ["apps/console/"],
  "apps/console/": ["apps/console/test/set-up.ts"],
  // The template that it clones.
  "packages/testing/src/database.ts": [
    "packages/db/src/migrate.ts",
    "scripts/test/run-beside-postgres.ts",
  ],
};

/** Throws an Error if there is no such commit. */
export function findChanged(given: string | undefined): Changed {
  const base = given ?? branchPoint();
  const files = listChanged(base);
  const tracked = lines(git("ls-files", "--cached", "--others", "--exclude-standard"));
  const graph = addUnnamed(buildModuleGraph(readSources(), new Set(tracked)));
  const all = tracked.filter(isTestFile);
  const tests = files.some((file) => everything.test(file))
    ? all
    : findDependents(graph, files, isTestFile).filter((path) => all.includes(path));
  const untested = files.filter(
    (file) => !everything.test(file) && findDependents(graph, [file], isTestFile).length === 0,
  );
  return { base, files, tests, untested, leftOut: all.length - tests.length };
}

/** A paragraph for the person at the terminal. */
export function describeChanged({ base, files, tests, untested, leftOut }: Changed): string {
  const found = `${files.length} files differ from ${base}; ${tests.length} test files depend on them.`;
  const left = `Left out: ${leftOut} other test files. \`bun run test\` runs all of them.`;
  const without = `No test imports or names: ${untested.join(", ")}`;
  return [found, left, ...(untested.length > 0 ? [without] : [])].join("\n");
}

function branchPoint(): string {
  const found = spawnSync("git", ["merge-base", "HEAD", "origin/main"], { cwd: root });
  if (found.status === 0) return found.stdout.toString().trim();
  throw new Error(
    "There is no origin/main to compare with: name a commit, as in `bun run test --changed HEAD~3`.",
  );
}

function listChanged(base: string): readonly string[] {
  const differing = lines(git("diff", "--name-only", "--no-renames", base, "--"));
  const added = lines(git("ls-files", "--others", "--exclude-standard"));
  return [...new Set([...differing, ...added])].sort();
}

function git(...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", words, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  if (status === 0) return stdout;
  throw new Error(`git ${words.join(" ")} failed: ${stderr.trim()}`);
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter(Boolean);
}

function addUnnamed(graph: ModuleGraph): ModuleGraph {
  return new Map(
    [...graph].map(([path, targets]) => {
      const isBelow = (one: string) => path.startsWith(one) && (isTestFile(path) || path === one);
      const folder = Object.keys(unnamed).find(isBelow);
      const extra = folder === undefined ? [] : (unnamed[folder] ?? []);
      return [path, new Set([...targets, ...extra])] as const;
    }),
  );
}
