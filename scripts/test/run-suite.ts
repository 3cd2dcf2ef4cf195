// Runs one suite, shows what it prints, and returns what happened to each of its tests.
import { once } from "node:events";
import { join, relative } from "node:path";
import { root } from "../tidy/read-sources.ts";
import { type Count, parseCount } from "./count-tests.ts";
import { readOutput, type TestResult } from "./read-output.ts";
import type { Run } from "./run-beside-postgres.ts";
import type { Suite } from "./suites.ts";

export type SuiteResult = {
  readonly count: Count;
  /** With paths from the root. */
  readonly tests: readonly TestResult[];
  readonly output: string;
};

const outputCharsMax = 200_000;

/** `isQuiet`: nothing is shown; the caller decides about `output`. */
export async function runSuite(run: Run, suite: Suite, isQuiet = false): Promise<SuiteResult> {
  const running = run(suite);
  let output = "";
  const reader = readOutput();
  const show = (target: NodeJS.WriteStream) => (chunk: Buffer) => {
    if (!isQuiet) target.write(chunk);
    reader.read(chunk.toString());
    output = (output + chunk.toString()).slice(-outputCharsMax);
  };
  running.child.stdout?.on("data", show(process.stdout));
  running.child.stderr?.on("data", show(process.stderr));
  const closed = once(running.child, "close");
  const code = await running.exited;
  await closed;
  const fromRoot = (file: string) => relative(root, join(suite.cwd, file));
  return {
    count: parseCount(output, code === 0 ? 0 : 1),
    tests: reader.results.map((result) => ({ ...result, file: fromRoot(result.file) })),
    output,
  };
}
