import { expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  cutRelease,
  findMistakeIn,
  listVersioned,
  readReleases,
  versionsIn,
} from "./cut-release.ts";

const root = join(import.meta.dirname, "../..");
const paths = listVersioned(root);

function versionsOf(folder: string): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) => versionsIn(path, readFileSync(join(folder, path), "utf8"))),
  );
}

test("every package and the chart have one version", () => {
  expect(paths.length).toBeGreaterThan(15);
  expect(versionsOf(root).size).toBe(1);
});

test("the newest release of CHANGELOG.md is that version, and each has at most 40 lines in known groups", () => {
  const releases = readReleases(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  expect([...versionsOf(root)]).toEqual(Object.keys(releases).slice(0, 1));
  for (const notes of Object.values(releases)) expect(findMistakeIn(notes)).toBeUndefined();
});

test("a release moves what was unreleased under its version, everywhere, and is refused without its notes", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-release-"));
  try {
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
    const changelog = join(folder, "CHANGELOG.md");
    const cut = (version: string) => cutRelease(folder, version, "2027-01-02");
    writeFileSync(changelog, "# Changelog\n\n## Unreleased\n");
    expect(cut("9.0")).toContain("like 1.2.3");
    expect(cut("0.0.1")).toContain("is not later than");
    expect(cut("9.0.0")).toContain("nothing under Unreleased");
    writeFileSync(changelog, "# Changelog\n\n## Unreleased\n\n- More.\n");
    expect(cut("9.0.0")).toContain("### Operations");
    writeFileSync(changelog, "# Changelog\n\n## Unreleased\n\n### Upgrading\n\nNothing.\n");
    expect(cut("9.0.0")).toContain("the unknown group Upgrading");
    writeFileSync(
      changelog,
      `# Changelog\n\n## Unreleased\n\n### Operations\n\n${"- More.\n".repeat(50)}`,
    );
    expect(cut("9.0.0")).toContain("at most 40 lines");
    writeFileSync(
      changelog,
      "# Changelog\n\n## Unreleased\n\n### Operations\n\nNothing.\n\n- More.\n",
    );
    expect(cut("9.0.0")).toBeUndefined();
    expect(versionsOf(folder)).toEqual(new Set(["9.0.0"]));
    expect(readFileSync(changelog, "utf8")).toContain(
      "## Unreleased\n\n## 9.0.0 (2027-01-02)\n\n### Operations\n\nNothing.\n\n- More.\n",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
