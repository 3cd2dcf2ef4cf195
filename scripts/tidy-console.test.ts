// The layers of the console, compared with its imports: lib below ui, ui below shell, shell below product, product below
// pages. What a component of ui needs of the product is passed to it, and areas of pages meet only in src/product.
import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";
import {
  importsOf,
  isTest,
  readSources,
  type Source,
  withoutComments,
} from "./tidy/read-sources.ts";

const folder = "apps/console/src/";
const sources = readSources().filter(({ path }) => path.startsWith(folder));
const code = sources.filter(({ path }) => !isTest(path));

/** `pages/keys`, `product`, `ui`, `lib`, `shell`, or `app` for the files at the root. */
function layerOf(path: string): string {
  const [layer = "", area = ""] = path.slice(folder.length).split("/");
  if (area === "") return "app";
  return layer === "pages" ? `pages/${area}` : layer;
}

type Import = { readonly from: string; readonly to: string };

/** Imports of our own files, by paths from the root; `import()` too. */
function ownImports(source: Source): readonly Import[] {
  return importsOf(source)
    .filter((name) => name.startsWith("."))
    .map((name) => normalize(join(dirname(source.path), name.replace(/\?.*$/, ""))))
    .map((to) => ({ from: source.path, to }));
}

function findCrossings(isWrong: (from: string, to: string) => boolean): readonly string[] {
  return code
    .flatMap(ownImports)
    .filter(({ from, to }) => isWrong(layerOf(from), layerOf(to)))
    .map(({ from, to }) => `${from} imports ${to}`);
}

test("every file of the console is in pages, product, ui, shell or lib", () => {
  const layers = new Set(code.map(({ path }) => layerOf(path).split("/")[0] ?? ""));
  expect([...layers].toSorted()).toEqual(["app", "lib", "pages", "product", "shell", "ui"]);
  const atRoot = code.filter(({ path }) => layerOf(path) === "app").map(({ path }) => path);
  expect(atRoot).toEqual([`${folder}app.tsx`, `${folder}main.tsx`]);
});

test("lib imports nothing of pages, product, shell or ui", () => {
  expect(findCrossings((from, to) => from === "lib" && to !== "lib")).toEqual([]);
});

test("ui imports nothing of pages, product or shell", () => {
  const allowed = ["ui", "lib"];
  expect(findCrossings((from, to) => from === "ui" && !allowed.includes(to))).toEqual([]);
});

/** Imports of values: `import type` leaves nothing at run time. */
function valueImports(source: Source): readonly string[] {
  const text = withoutComments(source.text).replace(/\bimport\s+type\b[^;]*;/g, "");
  return ownImports({ path: source.path, text }).map(({ to }) => to);
}

test("nothing that ui imports, directly or not, calls the server", () => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const source = byPath.get(path);
    if (source === undefined || reached.has(path)) return;
    reached.add(path);
    valueImports(source).forEach(visit);
  };
  for (const { path } of code.filter(({ path }) => layerOf(path) === "ui")) visit(path);
  expect(reached.size).toBeGreaterThan(50);
  expect([...reached].filter((path) => path === `${folder}lib/api.ts`)).toEqual([]);
  // The only file that uses the error class of tRPC turns it into messages any component can show.
  const withTrpc = [...reached].filter((path) =>
    importsOf(byPath.get(path) ?? { path, text: "" }).some((name) =>
      /^@(trpc|turnpike)\/(?!(?:format|terms)$)/.test(name),
    ),
  );
  expect(withTrpc).toEqual([`${folder}lib/read-failure.ts`]);
});

test("areas of pages share code only through src/product", () => {
  const isArea = (layer: string) => layer.startsWith("pages/");
  const crossings = findCrossings((from, to) => isArea(from) && isArea(to) && from !== to);
  expect(crossings).toEqual([]);
  expect(findCrossings((from, to) => from === "product" && isArea(to))).toEqual([]);
  expect(findCrossings((from, to) => from === "shell" && to === "product")).toEqual([]);
  // Everyone may show the version.
  const ofApp = findCrossings((from, to) => from !== "app" && to === "app");
  expect(ofApp.filter((found) => !found.endsWith("package.json"))).toEqual([]);
});

test("every file of src/product is used by several areas of pages", () => {
  const byPath = new Map(code.map((source) => [source.path, source]));
  const usersOf = new Map<string, Set<string>>();
  const visit = (source: Source | undefined, area: string): void => {
    for (const { to } of source === undefined ? [] : ownImports(source)) {
      if (layerOf(to) !== "product" || usersOf.get(to)?.has(area)) continue;
      usersOf.set(to, (usersOf.get(to) ?? new Set()).add(area));
      visit(byPath.get(to), area);
    }
  };
  for (const source of code) {
    if (layerOf(source.path).startsWith("pages/")) visit(source, layerOf(source.path));
  }
  const shown = code.filter(({ path }) => layerOf(path) === "product");
  const withFewer = shown.filter(({ path }) => (usersOf.get(path)?.size ?? 0) < 2);
  expect(withFewer.map(({ path }) => path)).toEqual([]);
  expect(shown.length).toBeGreaterThan(30);
});

test("the shell loads pages lazily, from its lists of routes and the home page", () => {
  const entering = code
    .filter(({ path }) => layerOf(path) === "shell")
    .flatMap(ownImports)
    .filter(({ to }) => layerOf(to).startsWith("pages/"));
  expect(new Set(entering.map(({ from }) => from))).toEqual(
    new Set(
      ["routes.ts", "entry-pages.ts", "home-page.tsx"].map((name) => `${folder}shell/${name}`),
    ),
  );
  const eager = entering.filter(({ from, to }) =>
    valueImports(sourceWithoutLazy(from)).includes(to),
  );
  expect(eager).toEqual([]);
});

function sourceWithoutLazy(path: string): Source {
  const text = code.find((source) => source.path === path)?.text ?? "";
  return { path, text: text.replace(/\bimport\([^)]*\)/g, "") };
}

test("each folder of pages says at the head of a page which question it answers", () => {
  const areas = Map.groupBy(
    code.filter(({ path }) => layerOf(path).startsWith("pages/")),
    ({ path }) => layerOf(path),
  );
  const silent = [...areas].filter(
    ([, files]) =>
      !files.some(({ path, text }) => path.endsWith("-page.tsx") && headOf(text).includes("?")),
  );
  expect(silent.map(([area]) => area)).toEqual([]);
  expect(areas.size).toBeGreaterThan(10);
});

/** The comment that a file begins with. */
function headOf(text: string): string {
  return /^(?:\/\/.*\n)*/.exec(text)?.[0] ?? "";
}
