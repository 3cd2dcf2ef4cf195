// Which failures fail a run: with a real `bun test` of files that fail the first time and pass afterwards.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listFiles } from "../tidy/read-sources.ts";
import { flakyMax, judgeFailures, mayBeFlaky } from "./judge-failures.ts";
import { readOutput, type TestResult } from "./read-output.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-judge-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [browser = ""] = mayBeFlaky;
const money = "apps/server/test/money/";

/** Writes a test file whose tests fail in its first `failures` runs; returns what its first run gave. */
async function failAtFirst(file: string, failures: number, names = ["it pays"]) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.runs`, "");
  writeFileSync(
    path,
    `import { expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
const runs = ${JSON.stringify(`${path}.runs`)};
appendFileSync(runs, "x");
const run = readFileSync(runs, "utf8").length;
for (const name of ${JSON.stringify(names)}) test(name, () => expect(run).toBeGreaterThan(${failures}));
`,
  );
  return (await runFile(file)).filter(({ outcome }) => outcome === "fail");
}

async function runFile(file: string): Promise<readonly TestResult[]> {
  const child = Bun.spawn([process.execPath, "test", `./${file}`], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = readOutput();
  reader.read(await new Response(child.stdout).text());
  reader.read(await new Response(child.stderr).text());
  return reader.results;
}

const rerun = async (file: string) =>
  (await runFile(file)).every(({ outcome }) => outcome === "pass");
const runsOf = (file: string) => readFileSync(join(folder, `${file}.runs`), "utf8").length;
const namesOf = (results: readonly TestResult[]) => results.map(({ name }) => name);

test("a browser test that fails once and then passes three times is flaky, and does not fail the run", async () => {
  const file = `${browser}once.test.ts`;
  const failures = await failAtFirst(file, 1);
  expect(namesOf(failures)).toEqual(["it pays"]);
  expect(await judgeFailures(failures, rerun)).toEqual({ failed: [], flaky: failures });
  expect(runsOf(file)).toBe(4);
});

test("a browser test that fails again within three runs fails the run", async () => {
  const failures = await failAtFirst(`${browser}again.test.ts`, 3);
  expect(await judgeFailures(failures, rerun)).toEqual({ failed: failures, flaky: [] });
});

test("any other test fails the run the first time, and is not run again", async () => {
  const file = `${money}books.test.ts`;
  const failures = await failAtFirst(file, 1);
  expect(await judgeFailures(failures, rerun)).toEqual({ failed: failures, flaky: [] });
  expect(runsOf(file)).toBe(1);
});

test("beside a failure that fails the run nothing is excused", async () => {
  const both = [
    ...(await failAtFirst(`${browser}beside.test.ts`, 1)),
    ...(await failAtFirst(`${money}beside.test.ts`, 1)),
  ];
  expect(await judgeFailures(both, rerun)).toEqual({ failed: both, flaky: [] });
});

test("more than two flaky tests fail the run", async () => {
  const names = Array.from({ length: flakyMax + 1 }, (_, at) => `it pays ${at}`);
  const failures = await failAtFirst(`${browser}many.test.ts`, 1, names);
  expect(failures).toHaveLength(3);
  expect(await judgeFailures(failures, rerun)).toEqual({ failed: failures, flaky: [] });
});

test("a failure outside of tests is not excused: it may belong to another file", async () => {
  const [failure] = await failAtFirst(`${browser}outside.test.ts`, 1);
  const failures = failure === undefined ? [] : [{ ...failure, name: "(unnamed)" }];
  expect(failures).toHaveLength(1);
  expect(await judgeFailures(failures, rerun)).toEqual({ failed: failures, flaky: [] });
});

test("only files that drive a browser or run a program that is not ours may be flaky", () => {
  const marks = /\/e2e\/|\bprepareProgram\(|\bpreparePython\(/;
  for (const place of mayBeFlaky) {
    const files = listFiles(place.endsWith("/") ? `${place}**/*.test.ts` : place);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const text = readFileSync(join(import.meta.dirname, "../..", file), "utf8");
      expect(`${file} ${marks.test(file) || marks.test(text)}`).toBe(`${file} true`);
    }
  }
});
