// What `bun run size` counts: every file of code once, as product or as tests, and the files that ARCHITECTURE.md lists.
import { expect, test } from "bun:test";
import { $ } from "bun";
import { measureSize } from "./measure-size.ts";

test("every file of code that has a line is counted once, with its lines", async () => {
  const { product, tests, filesOfOneCall } = await measureSize("HEAD");
  const emptyTree = (await $`git hash-object -t tree /dev/null`.text()).trim();
  const added = await $`git diff --numstat ${emptyTree} HEAD`.text();
  const all = added
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  const code = all.filter(
    ([lines, , path = ""]) => lines !== "0" && /\.(tsx?|sql|css)$/.test(path),
  );
  expect(product.files + tests.files).toBe(code.length);
  expect(product.lines + tests.lines).toBe(code.reduce((sum, [lines]) => sum + Number(lines), 0));
  const paths = code.map(([, , path = ""]) => path);
  expect(tests.files).toBeGreaterThan(paths.filter((path) => /\.test\.tsx?$/.test(path)).length);
  // `complete.ts` and its neighbors are among those paths, and the folders name more than these.
  expect(filesOfOneCall).toBeGreaterThan(20);
});
