// Has `bun test` start the slowest files first, so that none of them is left over at the end of a run.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles } from "../tidy/read-sources.ts";
import slowFiles from "./slow-files.json" with { type: "json" };
import { places } from "./suites.ts";

/** Written by `bun run test --profile`: the milliseconds of each file that takes at least this long. */
export const slowMs = 3_000;

export type SlowFiles = Readonly<Record<string, number>>;

/** `use` gets the option for `bun test`; its file is removed afterwards. */
export async function startSlowestFirst<T>(use: (option: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-timings-"));
  try {
    const file = join(folder, "timings.json");
    const slow: SlowFiles = slowFiles;
    const files = listFiles("{apps,packages,scripts}/**/*.test.{ts,tsx}");
    // A file without a time would be started before all others.
    const timings = files.flatMap((path) =>
      pathsOf(path).map((name) => [name, slow[path] ?? 1] as const),
    );
    writeFileSync(file, JSON.stringify({ version: 1, files: Object.fromEntries(timings) }));
    return await use(`--timings=${file}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the folders in which `bun test` may run. */
function pathsOf(path: string): readonly string[] {
  return places
    .filter(({ folder }) => folder === "" || path.startsWith(`${folder}/`))
    .map(({ folder }) => (folder === "" ? path : path.slice(folder.length + 1)));
}
