// Files of a package must not import each other in a cycle: each can be read after those it imports.
import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";
import { importsOf, readSources, type Source, withoutComments } from "./tidy/read-sources.ts";

type Graph = ReadonlyMap<string, readonly string[]>;

/** What a file imports when it runs: not the imports and re-exports that name types only. */
function valueImportsOf({ path, text }: Source): readonly string[] {
  const erased =
    /\b(?:import|export)\s+type\b[^"';]*["'][^"'\n]+["']|\b(?:import|export)\s*\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}\s*from\s*["'][^"'\n]+["']/g;
  return importsOf({ path, text: withoutComments(text).replace(erased, "") });
}

/** Which files each file imports by a relative path, as far as `namesOf` reads its imports. */
function readGraph(namesOf: (source: Source) => readonly string[]): Graph {
  const sources = readSources();
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map((source) => {
      const targets = namesOf(source)
        .filter((name) => name.startsWith("."))
        .map((name) => normalize(join(dirname(source.path), name)))
        .filter((path) => paths.has(path));
      return [source.path, targets] as const;
    }),
  );
}

/** Groups of files that reach each other, by Tarjan's algorithm for strongly connected components. */
function findCycles(graph: Graph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function visit(file: string): void {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    stack.push(file);
    const targets = graph.get(file) ?? [];
    for (const target of targets) {
      if (!order.has(target)) visit(target);
      if (!stack.includes(target)) continue;
      lowest.set(file, Math.min(lowest.get(file) ?? own, lowest.get(target) ?? own));
    }
    if (lowest.get(file) !== own) return;
    const members = stack.splice(stack.indexOf(file));
    if (members.length > 1 || targets.includes(file)) cycles.push(members.sort());
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

test("no files import each other in a cycle at run time", () => {
  const graph = readGraph(valueImportsOf);
  expect(graph.size).toBeGreaterThan(300);
  expect(findCycles(graph)).toEqual([]);
});

test("no files import types from each other in a cycle", () => {
  expect(findCycles(readGraph(importsOf))).toEqual([]);
});

test("a cycle is found, also one through several files and one of a file with itself", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["a", "d"]],
    ["d", []],
    ["e", ["e"]],
    ["f", ["a"]],
  ]);
  expect(findCycles(graph)).toEqual([["a", "b", "c"], ["e"]]);
});
