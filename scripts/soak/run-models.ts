// The long search of every test whose budget is `runsOf`: models, fuzzers and kill sweeps. A test that is added is found
// here by that name.
import { runTests } from "../test/run-tests.ts";
import { listFiles, readSource } from "../tidy/read-sources.ts";

/** Returns the exit code. */
export function runModels(): Promise<number> {
  return runTests({ files: findModels(), changed: undefined, profile: false, long: true });
}

/** By their path from the root. */
export function findModels(): readonly string[] {
  return listFiles("{apps,packages}/**/*.test.ts").filter((path) =>
    readSource(path).text.includes("runsOf({"),
  );
}
