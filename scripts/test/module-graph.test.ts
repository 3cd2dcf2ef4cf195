import { expect, test } from "bun:test";
import { buildModuleGraph, findDependents } from "./module-graph.ts";

const texts: Readonly<Record<string, string>> = {
  "packages/money/src/add.ts": "export const add = 1;",
  "packages/money/src/round.ts": 'import { add } from "./add.ts";\nexport const round = add;',
  "packages/money/src/types.ts": "export type Money = bigint;",
  "packages/money/src/index.ts":
    'export { add, round as roundUp } from "./add.ts";\nexport { round } from "./round.ts";\nexport type { Money } from "./types.ts";',
  "packages/money/src/add.test.ts": 'import { add } from "./add.ts";',
  "apps/server/src/charge.ts": 'import { type Money, round } from "@turnpike/money";',
  "apps/server/src/main.ts": 'import "./charge.ts";\nconst x = await import("./lazy.ts");',
  "apps/server/src/lazy.ts": "",
  "apps/server/test/spawn.ts": 'const main = new URL("../src/main.ts", import.meta.url);',
  "apps/server/test/charge.test.ts": 'import { round } from "@turnpike/money";',
  "apps/server/test/add.test.ts": 'import { add } from "@turnpike/money";',
  "apps/server/test/types.test.ts": 'import type { Money } from "@turnpike/money";',
  "apps/server/test/spawned.test.ts": 'import { x } from "./spawn.ts";',
  "apps/server/test/all.test.ts": 'import * as money from "@turnpike/money";',
  "apps/server/test/docs.test.ts": 'read("docs/money.md"); list("drizzle/functions");',
  "apps/server/test/comment.test.ts": "// see docs/money.md and ./spawn.ts\n",
};
const others = ["docs/money.md", "drizzle/functions/charge.sql"];
const graph = buildModuleGraph(
  Object.entries(texts).map(([path, text]) => ({ path, text })),
  new Set([...Object.keys(texts), ...others]),
);

function testsOf(...changed: string[]): readonly string[] {
  return findDependents(graph, changed, (path) => path.endsWith(".test.ts")).map((path) =>
    path.replace(/^.*\/(.*)\.test\.ts$/, "$1"),
  );
}

test("a test depends on what it imports, through others and through the index of a package", () => {
  expect(testsOf("packages/money/src/add.ts")).toEqual(["add", "all", "charge", "spawned", "add"]);
  expect(testsOf("packages/money/src/round.ts")).toEqual(["all", "charge", "spawned"]);
});

test("an index joins nothing: a name leads to the file that defines it", () => {
  expect(testsOf("packages/money/src/round.ts")).not.toContain("add");
});

test("a test depends on programs, documents and folders that it names outside of comments", () => {
  expect(testsOf("apps/server/src/lazy.ts")).toEqual(["spawned"]);
  expect(testsOf("docs/money.md")).toEqual(["docs"]);
  expect(testsOf("drizzle/functions/charge.sql")).toEqual(["docs"]);
});

test("a type changes nothing at run time: the type checker reads it", () => {
  expect(testsOf("packages/money/src/types.ts")).toEqual([]);
});
