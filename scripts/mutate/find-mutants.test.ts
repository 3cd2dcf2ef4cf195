// What a mutation run changes, and which tests it asks: the rules for TypeScript and SQL, the choice by
// seed, and the order of the tests.
import { expect, test } from "bun:test";
import { applyEdit, describeEdits, sampleMutants } from "./mutant.ts";
import { findSqlEdits, findSqlFunctions } from "./sql-rules.ts";
import { chooseTests, readLcov, type TestFile } from "./test-map.ts";
import { findTypescriptEdits } from "./typescript-rules.ts";

function changesOf(source: string): readonly string[] {
  return findTypescriptEdits(source).map((edit) => applyEdit(source, edit));
}

test("comparisons, conditions, arithmetic, numbers and calls are changed, one at a time", () => {
  expect(changesOf("if (a < 2) f();")).toEqual([
    "if (false) f();",
    "if (a <= 2) f();",
    "if (a < (2 + 1)) f();",
    "if (a < 2) ;",
  ]);
  expect(changesOf("const x = a && !b;")).toEqual(["const x = a || !b;", "const x = a && b;"]);
  expect(changesOf("const x = Math.min(a, b) - c;")).toEqual([
    "const x = Math.max(a, b) - c;",
    "const x = Math.min(a, b) + c;",
  ]);
  expect(changesOf("const x = a ?? b;")).toEqual(["const x = (b);"]);
  expect(changesOf("const x = a ? b : c;")).toEqual(["const x = (a) ? (c) : (b);"]);
});

test("types, imports, texts, durations and log lines are left alone", () => {
  const sources = [
    'import { a } from "b";',
    "type A = { on: true; n: 1 | 2 };",
    'const text = "a" + b + `c`;',
    "const waitMs = 5_000;",
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
  expect(changesOf("const q = db`select a < b`;")).toEqual([]);
  expect(changesOf("const q = sql`select a < b`;")).toEqual(["const q = sql`select a <= b`;"]);
});

test("of a function that migrations define twice only the newer body is changed", () => {
  const define = (body: string) => `CREATE OR REPLACE FUNCTION f() AS $$ ${body} $$;`;
  const migrations = [
    { path: "0001.sql", text: define("old") },
    { path: "0002.sql", text: define("new") },
  ];
  // Text that only looks like a definition, inside a statement, hides none behind it.
  const quoted = { path: "0003.sql", text: "DO $x$ EXECUTE 'CREATE FUNCTION g() AS'; $x$;" };
  const [found, ...others] = findSqlFunctions([quoted, ...migrations]);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ name: "f", path: "0002.sql" });
  expect(migrations[1]?.text.slice(found?.start, found?.end).trim()).toBe("new");
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

test("the closest tests that reach a line are asked first, as many as the time allows", () => {
  const report = "SF:packages/a/src/do.ts\nDA:4,7\nDA:9,0\nend_of_record\n";
  const file = (path: string, seconds: number, lines = readLcov(report)): TestFile => ({
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
  // A line that was not counted: whatever loads the file may notice.
  expect(chosen(20, 20)).toEqual(chosen(4, 20));
  // A file that nothing measured loads: a server in a process of its own may.
  const elsewhere = chooseTests(tests, { ...mutant, path: "apps/a.ts" }, 20, new Map());
  expect(elsewhere.map(({ path }) => path)).toEqual(["apps/server/test/kill.test.ts"]);
});
