// What `bun run test --profile` records: where the time of each test file goes. It prints the table of
// docs/testing.md and notes the slowest files, which later runs start first.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root } from "../tidy/read-sources.ts";
import { type FileProfile, printProfile } from "./print-profile.ts";
import type { SuiteResult } from "./run-suite.ts";
import { type SlowFiles, slowMs } from "./start-slowest-first.ts";

export type Profile = {
  /** For the environment of the tests. */
  readonly variables: Readonly<Record<string, string>>;
  /** For `bun test`. */
  readonly options: readonly string[];
  readonly finish: (results: readonly SuiteResult[]) => void;
  readonly close: () => void;
};

export function openProfile(): Profile {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-profile-"));
  const file = join(folder, "profile.jsonl");
  return {
    variables: { TEST_PROFILE: file },
    options: [`--preload=${join(import.meta.dirname, "record-profile.ts")}`],
    finish(results) {
      const profiles = [...readProfiles(file), ...profileOthers(results)];
      console.log(printProfile(profiles));
      noteSlowFiles(profiles);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Guarantees what `record-profile.ts` wrote. */
function readProfiles(file: string): readonly FileProfile[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const profile = JSON.parse(line) as FileProfile;
    return { ...profile, file: relative(root, profile.file) };
  });
}

/** Files that share a process are not sampled: what their tests took is all that is known. */
function profileOthers(results: readonly SuiteResult[]): readonly FileProfile[] {
  const totals = new Map<string, number>();
  for (const { file, elapsedMs } of results.flatMap(({ tests }) => tests)) {
    if (!file.startsWith("apps/console/")) continue;
    totals.set(file, (totals.get(file) ?? 0) + elapsedMs);
  }
  return [...totals].map(([file, totalMs]) => {
    const name = file.startsWith("apps/console/e2e/") ? "Chromium" : "computing";
    return { file, totalMs, spentMs: { [name]: totalMs } };
  });
}

function noteSlowFiles(profiles: readonly FileProfile[]): void {
  const slow = profiles
    .filter(({ totalMs }) => totalMs >= slowMs)
    .map(({ file, totalMs }) => [file, 1_000 * Math.round(totalMs / 1_000)] as const)
    .sort(([one], [other]) => one.localeCompare(other));
  const text: SlowFiles = Object.fromEntries(slow);
  writeFileSync(
    join(import.meta.dirname, "slow-files.json"),
    `${JSON.stringify(text, undefined, 2)}\n`,
  );
}
