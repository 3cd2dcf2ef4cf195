// Decides which failed tests fail the run. All do, the first time, except a few that drive a browser or a program
// that is not ours: they pass as flaky if their whole file then passes three times.
import type { TestResult } from "./read-output.ts";

/** Where tests may be flaky: nowhere else, and above all not where money, keys or roles are decided. */
export const mayBeFlaky: readonly string[] = [
  "apps/console/e2e/",
  ...[
    "claude-code",
    "codex",
    "opencode",
    "mistralai",
    "openai-agents",
    "openai-python",
    "openrouter-python",
    "pydantic-ai",
  ].flatMap((client) => [
    `apps/server/test/clients/matrix/${client}/`,
    `apps/server/test/clients/smoke/${client}.test.ts`,
  ]),
];

export const flakyMax = 2;

const reruns = 3;

export type Verdict = {
  readonly failed: readonly TestResult[];
  readonly flaky: readonly TestResult[];
};

/** `rerun` runs a whole file again and says whether all of it passed. */
export async function judgeFailures(
  failures: readonly TestResult[],
  rerun: (file: string) => Promise<boolean>,
  places: readonly string[] = mayBeFlaky,
): Promise<Verdict> {
  const isExcusable = ({ file, name }: TestResult) =>
    !name.endsWith(unnamed) && places.some((place) => file.startsWith(place));
  // Others fail the run anyway, and more than two are not an accident.
  if (failures.length > flakyMax || !failures.every(isExcusable)) {
    return { failed: failures, flaky: [] };
  }
  const failed: TestResult[] = [];
  const flaky: TestResult[] = [];
  const passed = new Map<string, boolean>();
  for (const failure of failures) {
    const { file } = failure;
    if (!passed.has(file)) passed.set(file, await passesAgain(file, rerun));
    if (passed.get(file)) flaky.push(failure);
    else failed.push(failure);
  }
  return { failed, flaky };
}

/** What `bun test` calls a failure outside of tests, for which a whole run may be responsible. */
const unnamed = "(unnamed)";

async function passesAgain(
  file: string,
  rerun: (file: string) => Promise<boolean>,
): Promise<boolean> {
  for (let round = 0; round < reruns; round += 1) {
    if (!(await rerun(file))) return false;
  }
  return true;
}
