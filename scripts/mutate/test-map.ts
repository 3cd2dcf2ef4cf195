// Which tests reach which line, measured once: each test file runs alone with coverage. A process that
// a test starts is not measured, so tests that start servers count as reaching the lines that no
// other test reaches.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Mutant } from "./mutant.ts";

export type TestFile = {
  readonly path: string;
  readonly seconds: number;
  /** Executed lines by source file; undefined for a source that has changed since. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number> | undefined>;
  readonly spawnsServers: boolean;
};

/** The executed lines of an lcov report, by file. */
export function readLcov(report: string): ReadonlyMap<string, ReadonlySet<number>> {
  const files = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const row of report.split("\n")) {
    if (row.startsWith("SF:")) {
      lines = new Set();
      files.set(row.slice("SF:".length), lines);
    }
    const [, line, count] = /^DA:(\d+),(\d+)/.exec(row) ?? [];
    if (line !== undefined && Number(count) > 0) lines.add(Number(line));
  }
  return files;
}

/** The test files that may notice `mutant`, closest first, together worth about `seconds`. */
export function chooseTests(
  tests: readonly TestFile[],
  mutant: Mutant,
  seconds: number,
  callers: ReadonlyMap<string, readonly string[]>,
): readonly TestFile[] {
  const { sqlFunction } = mutant;
  const sources = sqlFunction === undefined ? [mutant.path] : (callers.get(sqlFunction) ?? []);
  const reaching = tests.filter(({ lines }) => sources.some((source) => lines.has(source)));
  const exact = sqlFunction === undefined ? reaching.filter((t) => reachesLine(t, mutant)) : [];
  const [candidates = []] = [
    exact,
    // Of a text of many lines none may have been counted: then whatever loads the file is asked.
    reaching,
    tests.filter(({ spawnsServers }) => spawnsServers),
  ].filter((choice) => choice.length > 0);
  const sorted = [...candidates].sort(
    (one, other) =>
      distanceTo(one.path, sources) - distanceTo(other.path, sources) ||
      one.seconds - other.seconds,
  );
  const chosen: TestFile[] = [];
  let sum = 0;
  for (const test of sorted) {
    if (chosen.length > 0 && sum + test.seconds > seconds) continue;
    chosen.push(test);
    sum += test.seconds;
  }
  return chosen;
}

/** Coverage counts some statements of several lines at one of them only. */
function reachesLine(test: TestFile, { path, line }: Mutant): boolean {
  if (!test.lines.has(path)) return false;
  const lines = test.lines.get(path);
  return lines === undefined || [line, line - 1, line + 1].some((near) => lines.has(near));
}

/** 0 beside a source, 1 in its folder, 2 in its package, 3 elsewhere. */
function distanceTo(testPath: string, sources: readonly string[]): number {
  const distances = sources.map((source) => {
    if (basename(testPath, ".test.ts") === basename(source, ".ts")) return 0;
    if (dirname(testPath) === dirname(source)) return 1;
    return packageOf(testPath) === packageOf(source) ? 2 : 3;
  });
  return Math.min(3, ...distances);
}

function packageOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

/** Source files by the SQL function that they name; a function nobody names is called by triggers. */
export function findCallers(
  root: string,
  sources: readonly string[],
  functions: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const texts = sources.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const ledger = sources.filter((path) => path.startsWith("packages/ledger/src/"));
  return new Map(
    functions.map((name) => {
      const word = new RegExp(`\\b${name}\\b`);
      const callers = texts.filter(({ text }) => word.test(text)).map(({ path }) => path);
      return [name, callers.length > 0 ? callers : ledger];
    }),
  );
}
