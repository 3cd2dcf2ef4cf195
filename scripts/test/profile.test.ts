// The profile of a run, with a real `bun test` of a file that hashes a password, waits and computes.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FileProfile, printProfile } from "./print-profile.ts";

// Below the root, where the packages are found.
const folder = mkdtempSync(join(import.meta.dirname, ".profile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what a file spends adds up to the time that it took, by what it was busy with", async () => {
  const file = join(folder, "busy.test.ts");
  const record = join(folder, "profile.jsonl");
  writeFileSync(
    file,
    `import { expect, test } from "bun:test";
import { openPasswordHasher } from "@turnpike/auth";
import { inPhase } from "@turnpike/testing";
test("busy", async () => {
  await openPasswordHasher().hash("correct horse battery staple");
  await inPhase("databases", () => Bun.sleep(100));
  await Bun.sleep(100);
  expect(1).toBe(1);
});
`,
  );
  const preload = `--preload=${join(import.meta.dirname, "record-profile.ts")}`;
  const child = Bun.spawn([process.execPath, "test", "--parallel=1", preload, file], {
    env: { ...process.env, TEST_PROFILE: record },
    stdout: "pipe",
    stderr: "pipe",
  });
  expect(await child.exited).toBe(0);
  const profile: FileProfile = JSON.parse(readFileSync(record, "utf8"));
  expect(profile.file).toBe(file);
  const parts = Object.values(profile.spentMs);
  const sumMs = parts.reduce((sum, ms) => sum + ms, 0);
  expect(sumMs).toBeCloseTo(profile.totalMs, 3);
  expect(Object.keys(profile.spentMs).sort()).toEqual(
    ["computing", "databases", "hashing", "imports", "waiting"].sort(),
  );
  expect(profile.spentMs.databases).toBeGreaterThanOrEqual(90);
  expect(profile.spentMs.waiting).toBeGreaterThan(0);
});

test("the table has the sum of all files first, then the most expensive", () => {
  const table = printProfile([
    { file: "a.test.ts", totalMs: 1_000, spentMs: { imports: 400, waiting: 600 } },
    { file: "b.test.ts", totalMs: 3_000, spentMs: { Chromium: 3_000 } },
  ]);
  const rows = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  expect(rows.map(([, file, seconds]) => `${file} ${seconds}`)).toEqual([
    "file seconds",
    "--- ---:",
    "all 2 files 4.0",
    "b.test.ts 3.0",
    "a.test.ts 1.0",
  ]);
});
