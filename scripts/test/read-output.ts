// Reads the output of `bun test` as it is printed: each test with its file, its outcome and how long it took,
// and what was printed before a failure, so that it can be repeated after everything else.

const mostLines = 40;

/** What `bun test` prints around an error that no test threw: while a file is read, or between two tests. */
const outsideHeading = "# Unhandled error between tests";
const outsideRule = /^-{20,}$/;
const outsideName = "an error between tests (unnamed)";

export type TestResult = {
  /** As `bun test` prints it: relative to its working directory. */
  readonly file: string;
  readonly name: string;
  readonly outcome: "pass" | "fail" | "skip" | "todo";
  readonly elapsedMs: number;
  /** Of a failure: what was printed before it. */
  readonly printed: string;
};

/** `read` takes the output in chunks as they come; `results` has every test so far. */
export function readOutput(): { read: (chunk: string) => void; results: TestResult[] } {
  const results: TestResult[] = [];
  let file = "";
  let lines: string[] = [];
  let rest = "";
  let hasEnded = false;
  /** How many of the two rules around such an error were printed; undefined outside of one. */
  let rules: number | undefined;
  const readLine = (line: string) => {
    // A long run ends with its own lists, which name no files.
    hasEnded ||= /^\d+ tests? (skipped|failed|todo):$/.test(line);
    if (hasEnded) return;
    if (line === outsideHeading) {
      rules = 0;
      lines = [];
      return;
    }
    if (rules !== undefined) {
      if (!outsideRule.test(line)) lines.push(line);
      else rules += 1;
      if (rules < 2) return;
      const printed = lines.slice(-mostLines).join("\n").trim();
      results.push({ file, name: outsideName, outcome: "fail", elapsedMs: 0, printed });
      rules = undefined;
      lines = [];
      return;
    }
    const heading = /^(\S+\.test\.tsx?):$/.exec(line)?.[1];
    const result = /^\((pass|fail|skip|todo)\) (.*?)(?: \[([\d.]+)ms\])?$/.exec(line);
    if (heading !== undefined) file = heading;
    else if (result === null) {
      lines.push(line);
      return;
    } else {
      const [, outcome, name = "", elapsed = "0"] = result;
      const printed = outcome === "fail" ? lines.slice(-mostLines).join("\n").trimEnd() : "";
      results.push({
        file,
        name,
        outcome: toOutcome(outcome),
        elapsedMs: Number(elapsed),
        printed,
      });
    }
    lines = [];
  };
  const read = (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) readLine(line);
  };
  return { read, results };
}

/** Guarantees one of the words that the pattern above accepts. */
function toOutcome(word: string | undefined): TestResult["outcome"] {
  return word as TestResult["outcome"];
}

/** One text per failure: file, name and what was printed before it. */
export function describeFailure({ file, name, printed }: TestResult): string {
  return `${file}: ${name}\n${printed}`.trimEnd();
}
