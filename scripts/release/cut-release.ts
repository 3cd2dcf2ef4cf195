// Cuts a release: one version in every package and in the Helm chart, and what was unreleased in the changelog under
// that version. Nothing is committed or published.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const unreleased = "## Unreleased\n";
const groups = ["Added", "Changed", "Fixed", "Security", "Operations"];
const linesMax = 40;
const chartFile = "deploy/helm/turnpike/Chart.yaml";

/** Every file that names the version, from the root. */
export function listVersioned(root: string): readonly string[] {
  const packages = ["package.json", "apps/*/package.json", "packages/*/package.json"];
  const found = packages.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]);
  return [...found.sort(), chartFile];
}

/** The versions that a file names. */
export function versionsIn(path: string, text: string): readonly string[] {
  const pattern =
    path === chartFile ? /^(?:version|appVersion): "?([\d.]+)/gm : /^ {2}"version": "(.*)"/gm;
  return [...text.matchAll(pattern)].map(([, version = ""]) => version);
}

/** What is wrong with the notes of a release; undefined if nothing is. */
export function findMistakeIn(notes: string): string | undefined {
  const lines = notes.split("\n");
  const found = lines.filter((line) => line.startsWith("### ")).map((line) => line.slice(4));
  const unknown = found.find((group) => !groups.includes(group));
  if (unknown !== undefined)
    return `CHANGELOG.md has the unknown group ${unknown}: use ${groups.join(", ")}`;
  if (!found.includes("Operations")) {
    return "say under `### Operations` in CHANGELOG.md what an operator must do, or that it is nothing";
  }
  if (lines.length <= linesMax) return undefined;
  return `a release has at most ${linesMax} lines in CHANGELOG.md: these are ${lines.length}`;
}

/** The notes of each version that was released. */
export function readReleases(changelog: string): Readonly<Record<string, string>> {
  const [, ...sections] = changelog.split(/^## (?!Unreleased)/m);
  return Object.fromEntries(
    sections.map((section) => {
      const [heading = "", ...rest] = section.split("\n");
      return [heading.split(" ")[0] ?? "", rest.join("\n").trim()];
    }),
  );
}

/** Returns why nothing was changed, or undefined. `day` is like 2026-11-26. */
export function cutRelease(root: string, version: string, day: string): string | undefined {
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const [current = ""] = versionsIn("package.json", read("package.json"));
  if (!/^\d+\.\d+\.\d+$/.test(version)) return "the version must be like 1.2.3";
  if (Bun.semver.order(version, current) <= 0) return `${version} is not later than ${current}`;
  const changelog = read("CHANGELOG.md");
  const [before = "", rest] = changelog.split(unreleased);
  const notes = rest?.split(/^## /m)[0]?.trim() ?? "";
  if (rest === undefined || notes === "") return "CHANGELOG.md has nothing under Unreleased";
  const mistake = findMistakeIn(notes);
  if (mistake !== undefined) return mistake;
  const released = `${unreleased}\n## ${version} (${day})\n`;
  writeFileSync(join(root, "CHANGELOG.md"), `${before}${released}${rest}`);
  for (const path of listVersioned(root)) {
    const text = read(path);
    const changed = versionsIn(path, text).reduce(
      (result, found) => result.replaceAll(found, version),
      text,
    );
    writeFileSync(join(root, path), changed);
  }
  return undefined;
}
