// How large the product and its tests are in a commit, and through how many files one call runs: read from git, so that any
// two commits are measured alike.
import { $ } from "bun";

export type Size = {
  readonly product: Part;
  readonly tests: Part;
  /** What drizzle-kit compares schemas with. */
  readonly snapshots: Part;
  /** As ARCHITECTURE.md lists them, which a test compares with a running call. */
  readonly filesOfOneCall: number;
};

export type Part = { readonly files: number; readonly lines: number };

/** Code and SQL; what starts, checks and measures the product in `scripts/` counts as part of it. */
const codeFiles = [".ts", ".tsx", ".sql", ".css"];

const testPath = /\.test\.tsx?$|\.fixture\.(tsx?|sql)$|\/(test|e2e)\/|^packages\/testing\//;

export async function measureSize(commit: string): Promise<Size> {
  const counts = await countLines(
    commit,
    codeFiles.map((ending) => `*${ending}`),
  );
  const snapshots = await countLines(commit, ["drizzle/meta/*.json"]);
  const architecture = await $`git show ${commit}:ARCHITECTURE.md`.text();
  const isTest = ([path]: readonly [string, number]) => testPath.test(path);
  return {
    product: sum(counts.filter((count) => !isTest(count))),
    tests: sum(counts.filter(isTest)),
    snapshots: sum(snapshots),
    filesOfOneCall: countFilesOfOneCall(architecture),
  };
}

async function countLines(
  commit: string,
  paths: readonly string[],
): Promise<readonly (readonly [string, number])[]> {
  const text = await $`git grep --count -I "" ${commit} -- ${paths}`.text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, path = "", lines = "0"] = line.split(":");
      return [path, Number(lines)] as const;
    });
}

function sum(counts: readonly (readonly [string, number])[]): Part {
  return { files: counts.length, lines: counts.reduce((total, [, lines]) => total + lines, 0) };
}

/** A list of paths, and one of folders with the names of their files. */
function countFilesOfOneCall(architecture: string): number {
  const [, section = ""] = architecture.split("## The files of one request\n");
  const [, paths = "", , folders = ""] = section.split("```\n");
  const named = folders.split("\n").flatMap((line) => line.split(": ")[1]?.split(" ") ?? []);
  return paths.split("\n").filter((line) => line !== "").length + named.length;
}
