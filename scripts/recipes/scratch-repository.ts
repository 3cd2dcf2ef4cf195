// A copy of the repository in which recipes are applied: its files, linked to the packages that are installed here, and a
// history of its own, so that git says which files a recipe has touched.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../tidy/read-sources.ts";

export type ScratchRepository = {
  readonly root: string;
  /** What a command prints. Throws what it printed if it fails. */
  readonly run: (command: readonly string[]) => string;
  /** The files that differ from the last commit, in order; they are committed. */
  readonly commitChanges: () => readonly string[];
  readonly remove: () => void;
};

export function openScratchRepository(): ScratchRepository {
  const copy = mkdtempSync(join(tmpdir(), "turnpike-recipes-"));
  for (const file of listTracked()) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  linkPackages(copy);
  const run = (command: readonly string[]) => runIn(copy, command);
  const commit = () => {
    run(["git", "add", "--all"]);
    const changed = run(["git", "diff", "--cached", "--name-only", "-z"]);
    run([
      "git",
      ...identity,
      "commit",
      "--quiet",
      "--no-verify",
      "--allow-empty",
      "--message",
      "recipe",
    ]);
    return splitPaths(changed).toSorted();
  };
  run(["git", "init", "--quiet"]);
  commit();
  return {
    root: copy,
    run,
    commitChanges: commit,
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

const identity = ["-c", "user.name=recipes", "-c", "user.email=recipes@localhost"];

/** Tracked files and those that git would add. */
function listTracked(): readonly string[] {
  const list = (...options: readonly string[]) =>
    splitPaths(runIn(root, ["git", "ls-files", "-z", ...options]));
  const deleted = new Set(list("--deleted"));
  return list("--cached", "--others", "--exclude-standard").filter((file) => !deleted.has(file));
}

/**
 * Packages of the repository find each other by relative links, which are copied: they lead to the copies. What is
 * installed is in one folder, to which there is a link.
 */
function linkPackages(copy: string): void {
  const store = "node_modules/.bun";
  mkdirSync(join(copy, "node_modules"));
  symlinkSync(join(root, store), join(copy, store));
  const folders = ["apps", "packages"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}/node_modules`),
  );
  for (const folder of ["node_modules", ...folders]) {
    runIn(root, [
      "sh",
      "-c",
      'mkdir -p "$2" && for entry in "$1"/* "$1"/.bin; do [ ! -e "$entry" ] || cp -RP "$entry" "$2/"; done',
      "sh",
      join(root, folder),
      join(copy, folder),
    ]);
  }
}

function runIn(cwd: string, command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd });
  if (exitCode === 0) return stdout.toString();
  throw new Error(`${command.join(" ")} failed:\n${stdout}${stderr}`);
}

function splitPaths(text: string): readonly string[] {
  return text.split("\0").filter(Boolean);
}
