// The table of `bun run test --profile`: the most expensive test files and what they spend their time on.

import { testPhases } from "@turnpike/testing";

/** What `record-profile.ts` writes per file; `spentMs` by column of the table. */
export type FileProfile = {
  readonly file: string;
  readonly totalMs: number;
  readonly spentMs: Readonly<Record<string, number>>;
};

const columns = ["imports", ...testPhases, "Chromium", "computing", "waiting"] as const;

const filesMost = 40;

/** A table in Markdown, seconds with one decimal: the sum of all files, then the most expensive ones. */
export function printProfile(profiles: readonly FileProfile[]): string {
  const byCost = [...profiles].sort((one, other) => other.totalMs - one.totalMs);
  const sum: FileProfile = {
    file: `all ${profiles.length} files`,
    totalMs: byCost.reduce((total, { totalMs }) => total + totalMs, 0),
    spentMs: Object.fromEntries(
      columns.map((name) => [
        name,
        byCost.reduce((total, { spentMs }) => total + (spentMs[name] ?? 0), 0),
      ]),
    ),
  };
  const rows = [sum, ...byCost.slice(0, filesMost)].map(({ file, totalMs, spentMs }) => [
    file,
    seconds(totalMs),
    ...columns.map((name) => seconds(spentMs[name] ?? 0)),
  ]);
  const head = ["file", "seconds", ...columns];
  return [head, head.map((_, at) => (at === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function seconds(ms: number): string {
  return ms < 50 ? "" : (ms / 1_000).toFixed(1);
}
