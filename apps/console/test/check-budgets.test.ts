// The budgets of a build, measured on a small made-up one; `bun run build` measures the real one.
import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureLoads, refuseOverruns } from "../check-budgets.ts";

const page = "src/pages/keys/keys-page.tsx";
const dist = mkdtempSync(join(tmpdir(), "turnpike-budgets-"));
afterEach(() => rmSync(dist, { recursive: true, force: true }));

/** `sizes`: of each file in bytes, as it is sent. */
function writeBuild(manifest: object, sizes: Readonly<Record<string, number>>): void {
  for (const folder of [".vite", "assets"]) mkdirSync(join(dist, folder), { recursive: true });
  writeFileSync(join(dist, ".vite/manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(dist, "index.html"), '<script type="module" src="/assets/base.js"></script>');
  for (const [name, bytes] of Object.entries(sizes)) {
    writeFileSync(join(dist, `assets/${name}`), "x".repeat(bytes));
  }
}

test("PERF-1 a page is measured with all it imports, each file once and as it is sent", () => {
  const chunk = (name: string, imports: readonly string[] = []) => ({
    file: `assets/${name}.js`,
    imports,
  });
  writeBuild(
    {
      "_base-1.js": chunk("base"),
      "_parts-1.js": chunk("parts", ["_base-1.js"]),
      "_overlays-1.js": chunk("overlays", ["_base-1.js"]),
      [page]: chunk("keys", ["_base-1.js", "_parts-1.js"]),
      "src/shell/palette/palette.tsx": chunk("palette", ["_overlays-1.js"]),
      "src/ui/charts/chart.tsx": chunk("chart", ["_parts-1.js"]),
    },
    {
      "base.js": 90_000,
      "base.js.gz": 60_000,
      "parts.js": 30_000,
      "keys.js": 11_000,
      "overlays.js": 5_000,
      "palette.js": 2_000,
      "chart.js": 1_000,
      "a.css": 3_000,
      "inter.woff2": 32_000,
    },
  );
  const loads = measureLoads(dist);
  expect(loads.map(({ name, unit, count, most }) => [name, unit, count, most])).toEqual([
    ["shell", "kB", 60, 70],
    [page, "kB", 101, 100],
    ["palette", "kB", 2, 20],
    ["charts", "kB", 31, 24],
    ["style sheets", "kB", 3, 20],
    ["font", "kB", 32, 35],
    [page, "files", 6, 12],
  ]);
  expect(() => refuseOverruns(loads)).toThrow(
    `Over budget: ${page}: 101.0 of 100 kB; charts: 31.0 of 24 kB`,
  );
});

test("a build whose pages or menus are not found is not taken for a small one", () => {
  const base = { file: "assets/base.js" };
  writeBuild({ "_base-1.js": base }, { "base.js": 1 });
  expect(() => measureLoads(dist)).toThrow("The build has no pages.");
  writeBuild({ "_base-1.js": base, [page]: base }, { "base.js": 1 });
  expect(() => measureLoads(dist)).toThrow("The build has no _overlays.");
});
