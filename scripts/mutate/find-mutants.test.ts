// What a mutation run changes, and which tests it runs: the rules for TypeScript and SQL, the choice by
// seed, and the order of the tests.
import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { findMutants } from "./find-mutants.ts";
import { applyEdit, describeEdits, sampleMutants } from "./mutant.ts";
import { findSqlEdits, findSqlFunctions } from "./sql-rules.ts";
import { chooseTests, findCallers, parseLcov, type TestFile } from "./test-map.ts";
import { findTypescriptEdits } from "./typescript-rules.ts";

const root = resolve(import.meta.dirname, "../..");

function changesOf(source: string): readonly string[] {
  return findTypescriptEdits(source).map((edit) => applyEdit(source, edit));
}

test("comparisons, conditions, arithmetic, numbers and calls are changed, one at a time", () => {
  expect(changesOf("if (a < 2) f();")).toEqual([
    "if (false) f();",
    "if (a <= 2) f();",
    "if (a < (2 + 1)) f();",
    "if (a < 2) {}",
  ]);
  expect(changesOf("const x = a && !b;")).toEqual(["const x = a || !b;", "const x = a && b;"]);
  expect(changesOf("const x = Math.min(a, b) - c;")).toEqual([
    "const x = Math.max(a, b) - c;",
    "const x = Math.min(a, b) + c;",
  ]);
  expect(changesOf("const x = a ?? b;")).toEqual(["const x = (b);"]);
  expect(changesOf("const x = a ? b : c;")).toEqual(["const x = (a) ? (c) : (b);"]);
});

test("members are removed, times lengthened, arguments swapped, awaits dropped", () => {
  expect(changesOf('const codes = new Set(["a", "b"]);')).toEqual([
    'const codes = new Set(["b"]);',
    'const codes = new Set(["a"]);',
  ]);
  expect(changesOf('const names = new Map([["a", x], ["b", y]]);')).toEqual([
    'const names = new Map([["b", y]]);',
    'const names = new Map([["a", x]]);',
  ]);
  expect(changesOf('const table = { a: "x", b: "y" } satisfies T;')).toEqual([
    'const table = { b: "y" } satisfies T;',
    'const table = { a: "x" } satisfies T;',
  ]);
  expect(changesOf("function f() { return { a: x, b: y }; }")).toEqual([]);
  expect(changesOf("const waitMs = 60 * 1_000;")).toContain("const waitMs = (60 * 1_000 * 10);");
  expect(changesOf("const x = f(a, b.c, g);")).toEqual([
    "const x = f(b.c, a, g);",
    "const x = f(a, g, b.c);",
  ]);
  expect(changesOf("const x = eq(a, b.c);")).toEqual([]);
  expect(changesOf("const x = await f();")).toEqual(["const x = (f());"]);
});

test("types, imports, texts, sizes and log lines are not changed", () => {
  const sources = [
    'import { a } from "b";',
    "type A = { on: true; n: 1 | 2 };",
    'const text = "a" + b + `c`;',
    "const roomBytes = 5_000;",
    'log.warn({ err: 1 }, "failed");',
  ];
  for (const source of sources) expect(changesOf(source)).toEqual([]);
});

test("SQL is changed in migrations and in templates, comments and BETWEEN are not", () => {
  const changed = (sql: string) => findSqlEdits(sql).map((edit) => applyEdit(sql, edit));
  expect(changed("a >= b AND c IS NULL -- x > y")).toEqual([
    "a > b AND c IS NULL -- x > y",
    "a >= b OR c IS NULL -- x > y",
    "a >= b AND c IS NOT NULL -- x > y",
  ]);
  expect(changed("a BETWEEN 1 AND 2")).toEqual([]);
  expect(changed("IF v_left THEN")).toEqual(["IF false AND v_left THEN"]);
  expect(changed("date_trunc('week', v_today)::date")).toEqual([
    "date_trunc('month', v_today)::date",
    "date_trunc('week', v_today)::date - 1",
  ]);
  expect(changed("v_week + 7, interval '1 hour'")).toEqual([
    "v_week - 7, interval '1 hour'",
    "v_week + 8, interval '1 hour'",
    "v_week + 7, interval '2 hour'",
  ]);
  expect(changed("kind IN ('a', 'b')")).toEqual(["kind IN ('b')", "kind IN ('a')"]);
  expect(changesOf("const q = db`select a < b`;")).toEqual([]);
  expect(changesOf("const q = sql`select a < b`;")).toEqual(["const q = sql`select a <= b`;"]);
});

test("the body of each SQL function is found, but not text in a statement that looks like one", () => {
  const quoted = { path: "a.sql", text: "DO $x$ EXECUTE 'CREATE FUNCTION g() AS'; $x$;" };
  const file = { path: "b.sql", text: "CREATE OR REPLACE FUNCTION f() AS $$ body $$;" };
  const [found, ...others] = findSqlFunctions([quoted, file]);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ name: "f", path: "b.sql" });
  expect(file.text.slice(found?.start, found?.end).trim()).toBe("body");
});

test("only the current SQL functions are changed, in the file that defines them", () => {
  const mutants = findMutants(root, "sql");
  expect(mutants.length).toBeGreaterThan(50);
  for (const { path, sqlFunction } of mutants) {
    expect(path).toBe(`drizzle/functions/${sqlFunction}.sql`);
  }
});

test("tests and test support are not changed", () => {
  expect(findMutants(root, "testing")).toEqual([]);
  expect(findMutants(root, "apps/server/test")).toEqual([]);
  const paths = findMutants(root, "ledger").map(({ path }) => path);
  expect(paths).toContain("packages/ledger/src/leases/lease-book.ts");
  expect(paths.filter((path) => /test|fixture/.test(path))).toEqual([]);
});

test("a SQL function that only SQL functions call is tested by their callers", () => {
  const sources = [
    { path: "packages/auth/src/clean.ts", text: "select outer_one()" },
    { path: "packages/ledger/src/any.ts", text: "" },
  ];
  const callers = findCallers(sources, [
    { name: "outer_one", body: "PERFORM inner_one();" },
    { name: "inner_one", body: "PERFORM outer_one();" },
    { name: "by_trigger", body: "" },
  ]);
  expect(callers.get("inner_one")).toEqual(["packages/auth/src/clean.ts"]);
  expect(callers.get("outer_one")).toEqual(["packages/auth/src/clean.ts"]);
  expect(callers.get("by_trigger")).toEqual(["packages/ledger/src/any.ts"]);
});

test("a seed chooses the same mutants again, also after other lines have moved", () => {
  const source = Array.from({ length: 50 }, (_, n) => `const x${n} = a${n} < b;`).join("\n");
  const choose = (text: string, seed: string) =>
    sampleMutants(describeEdits("a.ts", text, findTypescriptEdits(text)), 5, seed);
  const chosen = choose(source, "1").map(({ change, id }) => [change, id]);
  expect(chosen).toHaveLength(5);
  expect(choose(`// moved\n${source}`, "1").map(({ change, id }) => [change, id])).toEqual(chosen);
  expect(choose(source, "2").map(({ change, id }) => [change, id])).not.toEqual(chosen);
});

test("the closest tests that reach a line are run first, as many as the time allows", () => {
  const report = "SF:packages/a/src/do.ts\nDA:4,7\nDA:9,0\nend_of_record\n";
  const file = (path: string, seconds: number, lines = parseLcov(report)): TestFile => ({
    path,
    seconds,
    lines,
    spawnsServers: path.includes("kill"),
  });
  const tests = [
    file("apps/server/test/kill.test.ts", 9, new Map()),
    file("apps/server/test/slow.test.ts", 50),
    file("apps/server/test/quick.test.ts", 1),
    file("packages/a/src/other.test.ts", 5),
    file("packages/a/src/do.test.ts", 8),
  ];
  const [mutant] = describeEdits("packages/a/src/do.ts", "\n\n\na < b", [
    { start: 5, end: 6, replacement: "<=" },
  ]);
  if (mutant === undefined) throw new Error("no mutant");
  const chosen = (line: number, seconds: number) =>
    chooseTests(tests, { ...mutant, line }, seconds, new Map()).map(({ path }) => path);
  expect(chosen(4, 20)).toEqual([
    "packages/a/src/do.test.ts",
    "packages/a/src/other.test.ts",
    "apps/server/test/quick.test.ts",
  ]);
  // A line that was not counted: every test that loads the file may detect it.
  expect(chosen(20, 20)).toEqual(chosen(4, 20));
  // A file that no measured test loads: a server in a separate process may.
  const elsewhere = chooseTests(tests, { ...mutant, path: "apps/a.ts" }, 20, new Map());
  expect(elsewhere.map(({ path }) => path)).toEqual(["apps/server/test/kill.test.ts"]);
});

test("a ledger line that no ledger test runs is tried with the tests of the server's money first", () => {
  const file = (path: string, seconds: number, source?: string): TestFile => ({
    path,
    seconds,
    lines: new Map(source === undefined ? [] : [[source, new Set([1])]]),
    spawnsServers: path.startsWith("apps/server/test/"),
  });
  const source = "packages/ledger/src/leases/open-recall-channel.ts";
  const tests = [
    file("packages/api/src/a.test.ts", 1, source),
    file("apps/server/test/health/b.test.ts", 1),
    file("apps/server/test/money/c.test.ts", 9),
  ];
  const [mutant] = describeEdits(source, "\n\n\n\n\na < b", [
    { start: 7, end: 8, replacement: "<=" },
  ]);
  if (mutant === undefined) throw new Error("no mutant");
  const paths = (files: readonly TestFile[]) =>
    chooseTests(files, mutant, 60, new Map()).map(({ path }) => path);
  expect(paths(tests)[0]).toBe("apps/server/test/money/c.test.ts");
  expect(paths(tests)).toHaveLength(3);
  const own = file("packages/ledger/src/own.test.ts", 1, source);
  expect(paths([...tests, own])).toEqual([own.path, "packages/api/src/a.test.ts"]);
});
