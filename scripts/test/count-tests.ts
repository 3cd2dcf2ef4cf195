// Reads from the end of a `bun test` run how many tests there were, and decides whether a run succeeded: it
// did if nothing failed and there was something to run, even if all of it was skipped.

export type Count = { passed: number; failed: number; skipped: number };

/** A suite that fails without naming a failure (a crash, no tests found) counts as one failure. */
export function parseCount(output: string, exitCode: number): Count {
  const failed = lastNumber(output, "fail");
  return {
    passed: lastNumber(output, "pass"),
    failed: exitCode !== 0 && failed === 0 ? 1 : failed,
    skipped: lastNumber(output, "skip"),
  };
}

/** Tests skip themselves, with a printed reason, if a program they need is missing. */
export function hasSucceeded({ passed, failed, skipped }: Count): boolean {
  return failed === 0 && passed + skipped > 0;
}

export function describeCount({ passed, failed }: Count): string {
  return `${passed} passed, ${failed} failed`;
}

function lastNumber(text: string, word: string): number {
  const matches = [...text.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))];
  return Number(matches.at(-1)?.[1] ?? 0);
}
