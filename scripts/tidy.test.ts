// The rules of the repository as tests: what ARCHITECTURE.md and CONTRIBUTING.md say about floors, imports
// and names is compared with the files themselves, so that neither can become outdated.
import { expect, test } from "bun:test";
import { basename, dirname, join, normalize } from "node:path";
import {
  findMatches,
  importsOf,
  isTest,
  listFiles,
  readSource,
  readSources,
  type Source,
  withoutComments,
} from "./tidy/read-sources.ts";

type Manifest = {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

const sources = readSources();
const manifests = listFiles("package.json", "{apps,packages}/*/package.json").map((path) => ({
  path,
  manifest: JSON.parse(readSource(path).text) as Manifest,
}));

/** A line `2  db/  connect, …   mail/  …` of the drawing names the packages of floor 2. */
function readFloors(): ReadonlyMap<string, number> {
  const floors = new Map<string, number>();
  for (const line of readSource("ARCHITECTURE.md").text.split("\n")) {
    const [, floor, rest = ""] = /^\s*([0-6]) {2,}([a-z]+\/.*)$/.exec(line) ?? [];
    if (floor === undefined) continue;
    for (const [, name = ""] of rest.matchAll(/\b([a-z]+)\//g)) floors.set(name, Number(floor));
  }
  return floors;
}

/** On two floors these packages lie below their neighbors, each on those before it. */
const steps: readonly (readonly string[])[] = [[], ["base"], ["db", "queue"]];

function packageOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

test("packages depend on lower floors only, as ARCHITECTURE.md draws them", () => {
  const floors = readFloors();
  const wrong: string[] = [];
  for (const { path, manifest } of manifests) {
    if (!path.startsWith("packages/") || path.startsWith("packages/testing/")) continue;
    const name = basename(dirname(path));
    const floor = floors.get(name);
    if (floor === undefined) {
      wrong.push(`${name} is not in the drawing`);
      continue;
    }
    for (const dependency of Object.keys(manifest.dependencies ?? {})) {
      const other = /^@turnpike\/(.+)$/.exec(dependency)?.[1];
      if (other === undefined) continue;
      const [own = -1, theirs = -1] = [name, other].map((one) => steps[floor]?.indexOf(one));
      const beneath = theirs >= 0 && (own < 0 || theirs < own);
      const allowed = (floors.get(other) ?? 9) < floor || beneath;
      if (!allowed) wrong.push(`${name} (floor ${floor}) depends on ${other}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("product code imports no dependency that only tests have", () => {
  const wrong = manifests.flatMap(({ path, manifest }) => {
    const folder = dirname(path);
    const testOnly = Object.keys(manifest.devDependencies ?? {}).filter((name) =>
      name.startsWith("@turnpike/"),
    );
    return sources
      .filter(
        (source) => /^packages|server$/.test(folder) && source.path.startsWith(`${folder}/src/`),
      )
      .filter((source) => !isTest(source.path))
      .flatMap((source) => importsOf(source).map((name) => ({ path: source.path, name })))
      .filter(({ name }) => testOnly.includes(name))
      .map(({ path: file, name }) => `${file} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

test("no version of a dependency younger than three days is installed", () => {
  expect(readSource("bunfig.toml").text).toMatch(/^\[install\][^[]*^minimumReleaseAge = "3d"$/ms);
});

test("the console imports types, never values, from the packages, except for formats and terms", () => {
  const values = sources
    .filter(({ path }) => path.startsWith("apps/console/src/") && !isTest(path))
    .flatMap((source) =>
      findMatches(
        source,
        /\bimport\s+(?!type\b)[^;]*?from\s*"@turnpike\/(?!(?:format|terms)")|\bimport\("@turnpike\//g,
      ),
    );
  expect(values).toEqual([]);
});

test("browser tests act only through the browser, /v1, mail and signed webhooks", () => {
  const tests = sources.filter(({ path }) => path.startsWith("apps/console/e2e/"));
  expect(tests.length).toBeGreaterThan(10);
  const allowed =
    /^(\.\/[\w.-]+\.ts|bun:test|node:\w+(\/\w+)?|@turnpike\/testing|playwright-core|@sparticuz\/chromium)$/;
  const wrong = tests.flatMap((source) => [
    ...importsOf(source)
      .filter((name) => !allowed.test(name))
      .map((name) => `${source.path} imports ${name}`),
    ...findMatches(
      source,
      /\b(select|insert into|update|delete from)\s+\w+\s+(from|set|where|values)\b/gi,
    ),
  ]);
  // The environment passes the database's address to the server and drops it; no test can read it.
  const users = tests.filter(({ text }) => /createTestDatabase|\.ownerUrl/.test(text));
  expect(users.map(({ path }) => path)).toEqual(["apps/console/e2e/environment.fixture.ts"]);
  expect(wrong).toEqual([]);
});

test("packages/testing is not a product dependency and depends on no package of ours", () => {
  const users = manifests.filter(({ manifest }) => manifest.dependencies?.["@turnpike/testing"]);
  expect(users.map(({ path }) => path)).toEqual([]);
  const testing = manifests.find(({ path }) => path === "packages/testing/package.json");
  const all = { ...testing?.manifest.dependencies, ...testing?.manifest.devDependencies };
  expect(Object.keys(all).filter((name) => name.startsWith("@turnpike/"))).toEqual([]);
});

test("every version is exact, in the catalog or in the workspace", () => {
  const loose = manifests.flatMap(({ path, manifest }) =>
    Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
      .filter(([, version]) => !/^(catalog:|workspace:\*|(npm:[^@]+@)?\d[\w.-]*)$/.test(version))
      .map(([name, version]) => `${path}: ${name} ${version}`),
  );
  expect(loose).toEqual([]);
  expect(readSource("bun.lock").text.match(/https?:\/\/[^"]+/g)).toBeNull();
});

test("a package is imported only through its index.ts", () => {
  const deep = sources.flatMap((source) =>
    importsOf(source)
      .filter((name) => /^@turnpike\/[^/]+\//.test(name) || leavesPackage(source, name))
      .map((name) => `${source.path} imports ${name}`),
  );
  expect(deep).toEqual([]);
});

/** Imports only types. */
const startEnvironment = "apps/server/src/start-environment.ts";

/** Tests may import from scripts/, for example to start their own PostgreSQL. */
function leavesPackage(source: Source, name: string): boolean {
  if (!name.startsWith(".")) return false;
  const target = normalize(join(dirname(source.path), name));
  // Inside the executable no package is found.
  if (source.path === "scripts/start/run.ts" && target === startEnvironment) return false;
  if (source.path.startsWith("scripts/")) return /^(packages|apps)\//.test(target);
  if (!/^(packages|apps)\//.test(source.path)) return false;
  if (isTest(source.path) && /^(scripts\/|catalog\.yaml)/.test(target)) return false;
  return packageOf(target) !== packageOf(source.path);
}

const places: Readonly<Record<string, RegExp>> = {
  elysia: /^apps\/server\/src\/(app\.ts|http\/)/,
  postgres: /^packages\/db\/src\/connect\.ts$/,
  stripe: /^packages\/billing\/src\/stripe\/[a-z-]+\.ts$/,
  lucia: /^packages\/auth\/src\/session\/session\.ts$/,
  mediabunny: /^packages\/media\/src\/audio\/measure-tracks\.ts$/,
  nodemailer: /^packages\/mail\/src\/[a-z-]+\.ts$/,
};

test("each library is imported in one place", () => {
  for (const [library, place] of Object.entries(places)) {
    const users = sources.filter(
      (source) => !isTest(source.path) && importsOf(source).includes(library),
    );
    const paths = users.map(({ path }) => path);
    expect(paths.filter((path) => !place.test(path))).toEqual([]);
    if (library !== "elysia") expect(paths.length).toBeLessThanOrEqual(1);
  }
});

test("only post.ts and the requests to buckets call fetch, only config.ts reads the environment", () => {
  const shipped = sources.filter(
    ({ path }) => !isTest(path) && !path.startsWith("apps/console/") && path.includes("/src/"),
  );
  const fetching = shipped.flatMap((source) =>
    findMatches(source, /(?<![.\w])fetch\((?![^()]*\)\s*\{)/g),
  );
  // The proxy to Vite exists only in development, where nothing is billed.
  const mayFetch =
    /^(packages\/providers\/src\/transport\/post|packages\/objects\/src\/bucket-requests|apps\/server\/src\/http\/pages\/proxy-console)\.ts/;
  expect(fetching.filter((at) => !mayFetch.test(at))).toEqual([]);
  const reading = shipped.flatMap((source) => findMatches(source, /\b(process|Bun)\.env\b/g));
  expect(reading.filter((at) => !at.startsWith("apps/server/src/config.ts"))).toEqual([]);
});

test("no file is named utils, helpers, common, misc or core", () => {
  const vagueNames = /(^|[-.])(utils?|helpers?|commons?|misc|core)([-.]|$)/;
  expect(
    sources.filter(({ path }) => vagueNames.test(basename(path))).map(({ path }) => path),
  ).toEqual([]);
});

test("every file begins with its purpose", () => {
  // The names of tests say what they are about.
  const undescribed = sources.filter(
    ({ path, text }) => !/\.test\.tsx?$/.test(path) && !/^(#![^\n]*\n)?\/\/ \S/.test(text),
  );
  // A package that has no code yet needs no comment.
  expect(
    undescribed.filter(({ text }) => text.trim() !== "export {};").map(({ path }) => path),
  ).toEqual([]);
});

test("conditions of a query are joined by and(), never by &&", () => {
  const joined = sources.flatMap((source) =>
    callsOf(withoutComments(source.text), ".where(")
      .filter((call) => call.includes("&&"))
      .map((call) => `${source.path}: where(${call})`),
  );
  expect(joined).toEqual([]);
});

/** The text between the parentheses of every call that starts with `opening`. */
function callsOf(text: string, opening: string): readonly string[] {
  const calls: string[] = [];
  for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
    const start = at + opening.length;
    let depth = 1;
    let end = start;
    for (; depth > 0 && end < text.length; end += 1) {
      if (text[end] === "(") depth += 1;
      if (text[end] === ")") depth -= 1;
    }
    calls.push(text.slice(start, end - 1));
  }
  return calls;
}

/** A `key: apiKeys` among the columns is every column of it, including the hash of the secret. */
function wholeTables(text: string, tables: string): readonly string[] {
  const property = new RegExp(`\\w+: *(${tables})\\s*[,}]`, "g");
  const shorthand = new RegExp(`[{,]\\s*(${tables})\\s*(?=[,}])`, "g");
  const selects = [".select(", ".selectDistinct(", ".returning("].flatMap((opening) =>
    callsOf(text, opening),
  );
  return [text.match(property), ...selects.map((call) => call.match(shorthand))].flatMap(
    (found) => found ?? [],
  );
}

test("every query names its columns", () => {
  const schema = sources.filter(({ path }) => path.startsWith("packages/db/src/schema/"));
  const tables = schema.flatMap(({ text }) => [...text.matchAll(/const (\w+) = pgTable\(/g)]);
  expect(tables.length).toBeGreaterThan(10);
  const names = tables.map(([, name]) => name).join("|");
  const shipped = sources.filter(({ path }) => !isTest(path));
  const readers = shipped.filter((source) => importsOf(source).includes("@turnpike/db"));
  const unnamed = shipped.flatMap((source) =>
    findMatches(
      source,
      /\.select\(\)\s*\.from\b|\.returning\(\)|\bselect\s+\*(?!\s+from\s+\w+\s*\()/gi,
    ),
  );
  const whole = readers.flatMap(({ path, text }) =>
    wholeTables(withoutComments(text), names).map((found) => `${path}: ${found}`),
  );
  expect([...unnamed, ...whole]).toEqual([]);
});

test("no TODO, FIXME or XXX is left", () => {
  const left = sources.filter(
    ({ path, text }) => path !== "scripts/tidy.test.ts" && /\b(TODO|FIXME|XXX)\b/.test(text),
  );
  expect(left.map(({ path }) => path)).toEqual([]);
});

test("no test is focused, and a skipped one says why", () => {
  const tests = sources.filter(
    ({ path }) => path.endsWith(".test.ts") || path.endsWith(".test.tsx"),
  );
  const wrong = tests.flatMap((source) => [
    ...findMatches(source, /\b(test|it|describe)\.only\b/g),
    ...findMatches(source, /\b(test|it|describe)\.(skip|skipIf|todo|todoIf|if)\b/g).filter(
      (at) => !saysWhy(source, Number(at.split(":").at(-1))),
    ),
  ]);
  expect(wrong).toEqual([]);
});

/** A skip prints its reason where the condition is evaluated. */
function saysWhy(source: Source, line: number): boolean {
  const before = source.text.split("\n").slice(0, line).join("\n");
  return /console\.(log|warn|info)\([^)]*skip/is.test(before);
}
