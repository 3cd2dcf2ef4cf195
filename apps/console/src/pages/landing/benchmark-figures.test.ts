import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addedTime, comparedFigures } from "./benchmark-figures.ts";

const read = (path: string) =>
  readFileSync(join(import.meta.dirname, "../../../../..", path), "utf8");

test("the landing page and the docs state the figures that docs/benchmarks.md has measured", () => {
  const measured = read("docs/benchmarks.md").split("\n");
  const page = read("apps/console/src/pages/docs/content/benchmarks.md");
  for (const { row, value } of [addedTime, ...comparedFigures]) {
    const found = measured.find((line) => line.startsWith(`| ${row} `));
    expect([row, found?.split("|")[2]?.trim()]).toEqual([row, value]);
    expect(page).toContain(`| ${value}`);
  }
});
