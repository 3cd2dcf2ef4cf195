// What is known about mutants: one JSON line each, appended as soon as it is known, so that a stopped
// run can continue where it ended.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Mutant } from "./mutant.ts";

/** `invalid`: the compiler refused the source or PostgreSQL the SQL, so it is not counted. */
export type Verdict = "caught" | "survived" | "invalid";

export type Result = {
  readonly id: string;
  readonly target: string;
  readonly path: string;
  readonly line: number;
  readonly change: string;
  readonly verdict: Verdict;
  /** The test file that detected it. */
  readonly by?: string;
  /** How many test files were run for it. */
  readonly tests: number;
  readonly seconds: number;
};

/** The latest result of each mutant. Empty if the file does not exist. */
export function readResults(file: string): ReadonlyMap<string, Result> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => [parseResult(line).id, parseResult(line)]));
}

/** Guarantees a Result: only `appendResult` writes these lines. */
function parseResult(line: string): Result {
  return JSON.parse(line) as Result;
}

export function appendResult(file: string, result: Result): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}

export function describeMutant({ path, line, change }: Pick<Mutant, "path" | "line" | "change">) {
  return `${path}:${line}: ${change}`;
}

/** A table of targets with their counts, and the survivors by location. */
export function describeResults(results: readonly Result[]): string {
  const targets = [...new Set(results.map(({ target }) => target))];
  const rows = targets.map((target) => {
    const counted = results.filter((result) => result.target === target);
    const caught = counted.filter(({ verdict }) => verdict === "caught").length;
    const survived = counted.filter(({ verdict }) => verdict === "survived").length;
    const refused = counted.length - caught - survived;
    const counts = `${caught + survived} mutants, ${caught} caught, ${survived} survived`;
    return `${target}: ${counts}, ${refused} refused by the compiler or by PostgreSQL`;
  });
  const survivors = results.filter(({ verdict }) => verdict === "survived").map(describeMutant);
  return [...rows, "", ...survivors.sort()].join("\n");
}
