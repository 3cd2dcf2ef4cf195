// What decides the exit code of `bun run test`, read from what `bun test` actually prints and returns.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeCount, hasSucceeded, parseCount } from "./count-tests.ts";

/** Runs `bun test` over one file with this text. */
async function countFile(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-count-"));
  try {
    writeFileSync(join(folder, "one.test.ts"), `import { test } from "bun:test";\n${text}`);
    const child = Bun.spawn([process.execPath, "test", "--parallel=2"], {
      cwd: folder,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    const count = parseCount(out + errors, await child.exited);
    return {
      printed: describeCount(count),
      skipped: count.skipped,
      succeeded: hasSucceeded(count),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const pass = 'test("a", () => {});\n';
const skip = 'test["skip"]("b", () => {});\n';
const fail = 'test("c", () => { throw new Error("c"); });\n';

test("a file whose tests are all skipped does not fail the run", async () => {
  expect(await countFile(skip)).toEqual({
    printed: "0 passed, 0 failed",
    skipped: 1,
    succeeded: true,
  });
});

test("passed, skipped and failed tests are counted, and one failure fails the run", async () => {
  expect(await countFile(pass + skip)).toEqual({
    printed: "1 passed, 0 failed",
    skipped: 1,
    succeeded: true,
  });
  expect(await countFile(pass + skip + fail)).toEqual({
    printed: "1 passed, 1 failed",
    skipped: 1,
    succeeded: false,
  });
});

test("a run that found no test, or crashed before the first, has failed", async () => {
  expect(await countFile("")).toEqual({
    printed: "0 passed, 0 failed",
    skipped: 0,
    succeeded: false,
  });
  expect((await countFile("process.exit(7);")).succeeded).toBe(false);
});
