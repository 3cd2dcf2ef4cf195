// Test support stays out of the product: every file in a `src` folder is reachable from an entry point
// of the product, or is a test or a `*.fixture.ts`, which no product file imports.
import { expect, test } from "bun:test";
import { basename, dirname, join, normalize } from "node:path";
import {
  importsOf,
  isFixture,
  isTest,
  listFiles,
  readSource,
  readSources,
  type Source,
} from "./tidy/read-sources.ts";

const sources = readSources().filter(({ path }) => /^(apps|packages)\//.test(path));
const byPath = new Map(sources.map((source) => [source.path, source]));

/** A package's index.ts, the programs of the server, the console's page and its build. */
const entryPoint =
  /^packages\/[\w-]+\/src\/index\.ts$|^apps\/server\/src\/(main|worker|admin)\.ts$|^apps\/console\/(src\/main\.tsx|[\w.-]+\.ts)$/;

/** Files in the same package that `source` imports, or starts as a worker thread. */
function localImports(source: Source): readonly string[] {
  const threads = [...source.text.matchAll(/new URL\("(\.[^"]+\.ts)", import\.meta\.url\)/g)];
  return [...importsOf(source), ...threads.flatMap((match) => match[1] ?? [])]
    .filter((name) => name.startsWith("."))
    .map((name) => normalize(join(dirname(source.path), name)).replace(/\?.*$/, ""))
    .flatMap((path) => [path, `${path}.ts`, `${path}.tsx`].filter((one) => byPath.has(one)));
}

function reachable(entries: readonly string[]): ReadonlySet<string> {
  const found = new Set(entries);
  // The loop also visits entries that are added while it runs.
  for (const path of found) {
    const source = byPath.get(path);
    if (source !== undefined) for (const next of localImports(source)) found.add(next);
  }
  return found;
}

test("no product file is imported only by tests", () => {
  const entries = sources.map(({ path }) => path).filter((path) => entryPoint.test(path));
  expect(entries.length).toBeGreaterThan(10);
  const product = reachable(entries);
  const idle = sources.filter(
    ({ path }) => path.includes("/src/") && !isTest(path) && !product.has(path),
  );
  expect(idle.map(({ path }) => path)).toEqual([]);
});

test("no product file imports a fixture", () => {
  const wrong = sources
    .filter(({ path }) => !isTest(path))
    .flatMap((source) =>
      localImports(source)
        .filter((path) => isTest(path))
        .map((path) => `${source.path} imports ${path}`),
    );
  expect(wrong).toEqual([]);
});

test("a fixture is used by a test or by another fixture", () => {
  // Imported, started as a program, or loaded before the tests of its folder.
  const users = [
    ...sources.filter(({ path }) => isTest(path)),
    ...listFiles("apps/*/**/bunfig.toml").map(readSource),
  ];
  const unused = sources.filter(
    ({ path }) =>
      isFixture(path) &&
      !users.some((user) => user.path !== path && user.text.includes(`/${basename(path)}"`)),
  );
  expect(unused.map(({ path }) => path)).toEqual([]);
});

test("no browser test waits with .rejects or .resolves, which reorder Playwright's messages", () => {
  // Bun runs the event loop inside the matcher, in the middle of a message of the browser.
  const wrong = sources
    .filter(({ path }) => path.startsWith("apps/console/e2e/"))
    .filter(({ text }) => /\)\.(rejects|resolves)\b/.test(text));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
