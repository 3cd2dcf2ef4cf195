// A step of the build that prints what a browser loads for each page, and fails it when that is more than its budget:
// PERF-1.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** In kB with the shell: for a first view, and for pages with a chart. */
const usual = 100;
const budgets: Readonly<Record<string, number>> = {
  "src/pages/usage/usage-page.tsx": 127,
  "src/pages/logs/logs-page.tsx": 127,
  "src/pages/docs/docs-page.tsx": 103,
};
const fontBudget = 35;
/** Of a first view, before it asks the API; the document, the style sheet and the font are among them. */
const filesMax = 12;
const filesBesideScripts = 3;

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
};
type Manifest = Readonly<Record<string, Chunk>>;

type Load = { readonly name: string; readonly unit: "kB" | "files" } & {
  readonly count: number;
  readonly most: number;
};

export function checkBudgets(): Plugin {
  let dist = "";
  return {
    name: "check-budgets",
    apply: "build",
    configResolved({ root, build: { outDir } }) {
      dist = join(root, outDir);
    },
    closeBundle: {
      order: "post",
      sequential: true,
      handler() {
        const loads = measureLoads(dist);
        const sizes = loads.filter(({ unit }) => unit === "kB");
        console.log(sizes.map(describe).join("\n"));
        refuseOverruns(loads);
      },
    },
  };
}

export function refuseOverruns(loads: readonly Load[]): void {
  const over = loads.filter(({ count, most }) => count > most);
  if (over.length > 0) throw new Error(`Over budget: ${over.map(describe).join("; ")}`);
}

function describe({ name, unit, count, most }: Load): string {
  return `${name}: ${unit === "kB" ? count.toFixed(1) : count} of ${most} ${unit}`;
}

/** What each part of a build has a browser load; kB are gzipped, except for the font. */
export function measureLoads(dist: string): readonly Load[] {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));
  const pages = Object.keys(manifest).filter((key) => /^src\/.*-page\.tsx$/.test(key));
  if (pages.length === 0) throw new Error("The build has no pages.");
  const entry = readEntry(dist);
  const filesOf = (key: string) => new Set([entry, ...importsOf(manifest, key)]);
  // The code of menus and dialogs is loaded on every page of a member, soon after it is drawn.
  const soon = filesOf(
    Object.keys(manifest).find((key) => key.startsWith("_overlays-")) ?? "_overlays",
  );
  const lazy = (key: string) => [...filesOf(key)].filter((file) => !soon.has(file));
  const named = (end: string) =>
    readdirSync(join(dist, "assets"))
      .filter((name) => name.endsWith(end))
      .map((name) => `assets/${name}`);
  const parts: readonly (readonly [name: string, files: Iterable<string>, most: number])[] = [
    ["shell", [entry], 70],
    ...pages.map((key) => [key, filesOf(key), budgets[key] ?? usual] as const),
    ["palette", lazy("src/shell/palette/palette.tsx"), 20],
    ["charts", lazy("src/ui/charts/chart.tsx"), 24],
    ["style sheets", named(".css"), 20],
    ["font", named(".woff2"), fontBudget],
  ];
  return [
    ...parts.map(([name, files, most]) => {
      return { name, unit: "kB", count: kilobytesOf(dist, files), most } as const;
    }),
    ...pages.map((name) => {
      const count = filesOf(name).size + filesBesideScripts;
      return { name, unit: "files", count, most: filesMax } as const;
    }),
  ];
}

/** The files of a page or a shared chunk, with all that they import at once. */
function importsOf(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`The build has no ${key}.`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const next of chunk.imports ?? []) importsOf(manifest, next, found);
  return found;
}

/** The one script of the document itself; the manifest names it by what was merged into it. */
function readEntry(dist: string): string {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const entry = /<script type="module"[^>]* src="\/([^"]+)"/.exec(html)?.[1];
  if (entry === undefined) throw new Error("index.html names no script.");
  return entry;
}

/** As `compress-assets.ts` made them; a font is compressed by itself, and what is very small is not. */
function kilobytesOf(dist: string, files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) {
    const path = join(dist, file);
    const packed = `${path}.gz`;
    bytes += readFileSync(existsSync(packed) ? packed : path).length;
  }
  return bytes / 1_000;
}
