// What a browser has to load, compared with the budget, from the manifest of the build.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const dist = join(import.meta.dirname, "../dist");
const kilobyte = 1_000;

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
};

/** Vite writes it; a key is the path of a source file or the name of a shared chunk. */
function readManifest(): Readonly<Record<string, Chunk>> {
  return JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));
}

const gzipped = new Map<string, number>();

function sizeOf(file: string): number {
  const known = gzipped.get(file) ?? Bun.gzipSync(readFileSync(join(dist, file))).byteLength;
  gzipped.set(file, known);
  return known;
}

type Manifest = Readonly<Record<string, Chunk>>;

/** Files needed to draw a page: the entry, the page, and what they import. */
function filesOf(manifest: Manifest, key: string): Set<string> {
  const files = new Set([readEntry()]);
  const add = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`The build has no ${name}.`);
    if (files.has(chunk.file) && name !== key) return;
    files.add(chunk.file);
    for (const next of chunk.imports ?? []) add(next);
  };
  add(key);
  return files;
}

/** The one script of the page itself; the manifest names it by what was merged into it. */
function readEntry(): string {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const entry = /<script type="module"[^>]* src="\/([^"]+)"/.exec(html)?.[1];
  if (entry === undefined) throw new Error("index.html names no script.");
  return entry;
}

const sum = (files: Iterable<string>) => [...files].reduce((all, file) => all + sizeOf(file), 0);

/** In kB with the shell: 100 for a first view, 125 with a chart or rendered Markdown. */
const usual = 100;
const budgets: Readonly<Record<string, number>> = {
  "src/pages/usage/usage-page.tsx": 125,
  "src/pages/usage/explore/explore-page.tsx": 125,
  "src/pages/logs/logs-page.tsx": 125,
};

/** Of a first view, before it asks the API: with the document, the style sheet and the font. */
const requestsMax = 12;
const besideScripts = 3;

const isPage = (key: string) => /^src\/.*-page\.tsx$/.test(key);

test("PERF-1 no page loads more than its budget", () => {
  const manifest = readManifest();
  const pages = Object.keys(manifest).filter(isPage);
  expect(pages.length).toBeGreaterThan(15);
  const shell = new Set([readEntry()]);
  // The code of menus and dialogs is loaded on every page, soon after it is drawn.
  const menus = Object.keys(manifest).find((key) => key.startsWith("_overlays-")) ?? "";
  const soon = filesOf(manifest, menus);
  const lazy = (key: string) => [...filesOf(manifest, key)].filter((file) => !soon.has(file));
  const assets = readdirSync(join(dist, "assets")).map((name) => `assets/${name}`);
  const fonts = assets.filter((name) => name.endsWith(".woff2"));
  expect(fonts).toHaveLength(1);
  const parts: readonly (readonly [name: string, files: Iterable<string>, most: number])[] = [
    ["shell", shell, 70],
    ...pages.map((key) => [key, filesOf(manifest, key), budgets[key] ?? usual] as const),
    ["palette", lazy("src/shell/palette/palette.tsx"), 20],
    ["charts", lazy("src/ui/charts/chart.tsx"), 24],
    ["style sheets", assets.filter((name) => name.endsWith(".css")), 20],
  ];
  const sizes = parts.map(([name, files, most]) => ({ name, kB: sum(files) / kilobyte, most }));
  console.log(
    sizes.map(({ name, kB, most }) => `${name} ${kB.toFixed(1)} of ${most} kB`).join("\n"),
  );
  expect(sizes.filter(({ kB, most }) => kB > most)).toEqual([]);
  expect(readFileSync(join(dist, fonts[0] ?? "")).byteLength).toBeLessThan(35 * kilobyte);
});

test("PERF-1 no page needs more than twelve files for its first view", () => {
  const manifest = readManifest();
  const counts = Object.keys(manifest)
    .filter(isPage)
    .map((page) => ({ page, files: filesOf(manifest, page).size + besideScripts }));
  console.log(`At most ${Math.max(...counts.map(({ files }) => files))} of ${requestsMax} files.`);
  expect(counts.filter(({ files }) => files > requestsMax)).toEqual([]);
});
