// Runs the suites one after the other and adds up what they report.
// A failure fails the run; judge-failures.ts says which few may be run again first.
import { join } from "node:path";
import { buildConsole } from "../build/build-console.ts";
import { root } from "../tidy/read-sources.ts";
import { type Count, describeCount, hasSucceeded } from "./count-tests.ts";
import { describeChanged, findChanged } from "./find-changed.ts";
import { judgeFailures } from "./judge-failures.ts";
import { openProfile } from "./open-profile.ts";
import { describeFailure } from "./read-output.ts";
import { type Run, runBesidePostgres } from "./run-beside-postgres.ts";
import { runSuite, type SuiteResult } from "./run-suite.ts";
import { startSlowestFirst } from "./start-slowest-first.ts";
import { chooseSuite, type Place, placeOf, places } from "./suites.ts";
import type { TestOptions } from "./test-options.ts";

/** Returns the exit code. */
export async function runTests(options: TestOptions): Promise<number> {
  let { files } = options;
  if (options.changed !== undefined) {
    const changed = findChanged(options.changed.base);
    console.log(describeChanged(changed));
    if (changed.tests.length === 0) return 0;
    files = changed.tests;
  }
  const profile = options.profile ? openProfile() : undefined;
  const variables = { ...profile?.variables, ...(options.long && { TEST_BUDGET: "long" }) };
  try {
    return await runBesidePostgres(async (run) => {
      const results = await startSlowestFirst((timings) =>
        runPlaces(run, files, {
          server: [timings, ...(profile?.options ?? [])],
          browser: [timings],
        }),
      );
      profile?.finish(results);
      return report(run, results);
    }, variables);
  } finally {
    profile?.close();
  }
}

async function runPlaces(
  run: Run,
  files: readonly string[],
  extra: Readonly<Partial<Record<Place["name"], readonly string[]>>>,
): Promise<readonly SuiteResult[]> {
  const results: SuiteResult[] = [];
  for (const place of places) {
    const suite = chooseSuite(place, files, extra[place.name]);
    if (suite === undefined) continue;
    if (place.name === "browser") {
      if (!(await canRunBrowser(run))) continue;
      if ((await buildConsole()) !== 0) {
        results.push(failedBefore("The console does not build; Vite's output says why."));
        continue;
      }
    }
    console.log(`--- ${suite.name}`);
    const started = Date.now();
    const result = await runSuite(run, suite);
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    console.log(`--- ${suite.name}: ${describeCount(result.count)} in ${minutes} minutes`);
    results.push(result);
  }
  return results;
}

function failedBefore(reason: string): SuiteResult {
  return { count: { passed: 0, failed: 1, skipped: 0 }, tests: [], output: reason };
}

/** Chromium is unpacked when its package is first asked for it. Prints the reason if none can run. */
async function canRunBrowser(run: Run): Promise<boolean> {
  const command = [process.execPath, "unpack-chromium.ts"];
  const running = run({ command, cwd: join(root, "apps/console/e2e") });
  running.child.stdout?.pipe(process.stdout);
  return (await running.exited) === 0;
}

/** Judges the failures, repeats them at the end, where a long log is read, and returns the exit code. */
async function report(run: Run, results: readonly SuiteResult[]): Promise<number> {
  const total: Count = { passed: 0, failed: 0, skipped: 0 };
  for (const { count } of results) {
    total.passed += count.passed;
    total.failed += count.failed;
    total.skipped += count.skipped;
  }
  const failures = results.flatMap(({ tests }) => tests.filter((one) => one.outcome === "fail"));
  // Otherwise something failed outside of any test, or a suite could not run.
  const isNamed = failures.length === total.failed;
  const { failed, flaky } = isNamed
    ? await judgeFailures(failures, (file) => passes(run, file))
    : { failed: failures, flaky: [] };
  total.failed -= flaky.length;
  total.passed += flaky.length;
  const texts = [...failed.map(describeFailure), ...results.flatMap(describeCrash)];
  if (flaky.length > 0) {
    const register = "Enter each with its cause in the register of docs/testing.md.";
    const shown = flaky.map((one) => `flaky ${describeFailure(one)}`);
    console.log(["--- flaky tests", ...shown, register].join("\n\n"));
  }
  if (total.failed > 0) console.log(["--- failed tests", ...texts].join("\n\n"));
  if (total.skipped > 0) console.log(`--- ${total.skipped} skipped; the reasons are printed above`);
  // The last line is read by `.ci/run`.
  console.log(describeCount(total));
  return hasSucceeded(total) ? 0 : 1;
}

const crashLinesMost = 40;

/** The end of what a suite printed that failed outside of its tests; nothing for any other. */
function describeCrash({ count, tests, output }: SuiteResult): readonly string[] {
  const named = tests.filter(({ outcome }) => outcome === "fail").length;
  if (count.failed <= named) return [];
  return [output.trimEnd().split("\n").slice(-crashLinesMost).join("\n")];
}

/** Runs a whole file again; shown only if it fails. */
async function passes(run: Run, file: string): Promise<boolean> {
  console.log(`--- again, because it may be flaky: ${file}`);
  const suite = chooseSuite(placeOf(file), [file]);
  if (suite === undefined) return false;
  const { count, output } = await runSuite(run, suite, true);
  if (!hasSucceeded(count)) console.log(output);
  return hasSucceeded(count);
}
