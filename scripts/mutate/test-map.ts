// Which tests reach which line, measured once: each test file runs alone with coverage. A process that
// a test starts is not measured, so tests that start servers count as reaching the lines that no
// other test reaches. A test that names a source file reads its text and counts as reaching all of it.
import { basename, dirname } from "node:path";
import type { Mutant } from "./mutant.ts";

export type TestFile = {
  readonly path: string;
  readonly seconds: number;
  /** Executed lines by source file; undefined for a source that has changed since. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number> | undefined>;
  readonly spawnsServers: boolean;
};

/** The executed lines of an lcov report, by file. */
export function parseLcov(report: string): ReadonlyMap<string, ReadonlySet<number>> {
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

/** The test files that may detect `mutant`, closest first, together taking about `seconds`. */
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
  const isOwn = reaching.some((t) => sources.some((s) => packageOf(s) === packageOf(t.path)));
  const servers = tests.filter(({ spawnsServers }) => spawnsServers);
  // A statement of many lines may not be counted: then every test that loads the file may detect it.
  // What only other packages load may run only in a server.
  const loading = isOwn ? reaching : [...new Set([...servers, ...reaching])];
  const candidates = exact.length > 0 ? exact : loading;
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

/** Coverage counts some statements of several lines at only one of them. */
function reachesLine(test: TestFile, { path, line }: Mutant): boolean {
  if (!test.lines.has(path)) return false;
  const lines = test.lines.get(path);
  return lines === undefined || [line, line - 1, line + 1].some((near) => lines.has(near));
}

/** Which tests of the running server exercise a package the most. */
const serverTestsOf: Readonly<Record<string, RegExp>> = {
  "packages/ledger": /^apps\/server\/test\/(?:money|workers|operations)\//,
};

/** 0 beside a source, 1 in its folder, 2 in its package, 3 in its tests of the server, 4 elsewhere. */
function distanceTo(testPath: string, sources: readonly string[]): number {
  const distances = sources.map((source) => {
    if (basename(testPath, ".test.ts") === basename(source, ".ts")) return 0;
    if (dirname(testPath) === dirname(source)) return 1;
    if (packageOf(testPath) === packageOf(source)) return 2;
    return serverTestsOf[packageOf(source)]?.test(testPath) ? 3 : 4;
  });
  return Math.min(4, ...distances);
}

function packageOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

/**
 * TypeScript files by the SQL function that they call, directly or through another SQL function; the
 * ledger's for a function that only triggers call.
 */
export function findCallers(
  texts: readonly { readonly path: string; readonly text: string }[],
  definitions: readonly { readonly name: string; readonly body: string }[],
): ReadonlyMap<string, readonly string[]> {
  const ledger = texts.map(({ path }) => path).filter((p) => p.startsWith("packages/ledger/src/"));
  function callersOf(name: string, seen: ReadonlySet<string>): readonly string[] {
    const word = new RegExp(`\\b${name}\\b`);
    const direct = texts.filter(({ text }) => word.test(text)).map(({ path }) => path);
    const through = definitions
      .filter((definition) => !seen.has(definition.name) && word.test(definition.body))
      .flatMap((definition) => callersOf(definition.name, new Set([...seen, definition.name])));
    return [...new Set([...direct, ...through])];
  }
  return new Map(
    definitions.map(({ name }) => {
      const callers = callersOf(name, new Set([name]));
      return [name, callers.length > 0 ? callers : ledger];
    }),
  );
}
