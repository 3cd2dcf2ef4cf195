// The server with each of our functions instrumented, for the test that lists the files a request runs
// through. Each SIGUSR2 prints the functions that ran since the previous one and starts a new list.
// Functions run by timers that were set before the first SIGUSR2, and what they cause, are not listed.
import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type NodePath, type PluginObj, transformSync, types } from "@babel/core";

const root = join(import.meta.dirname, "../../../..");
/** `path:line` of each function, by the number of its mark. */
const functions: string[] = [];
const ran = new Set<number>();
const background = new AsyncLocalStorage<true>();
let isStarting = true;

Object.assign(globalThis, {
  markFunction(id: number) {
    if (background.getStore() === undefined) ran.add(id);
  },
  setTimeout: markTimers(globalThis.setTimeout),
  setInterval: markTimers(globalThis.setInterval),
});

type SetTimer = (run: (...args: unknown[]) => void, afterMs?: number, ...args: never[]) => unknown;

function markTimers(set: SetTimer): SetTimer {
  return (...args) => (isStarting ? background.run(true, () => set(...args)) : set(...args));
}

Bun.plugin({
  name: "mark functions",
  setup(build) {
    build.onLoad({ filter: /\/(apps\/server|packages\/[\w-]+)\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: markFunctions(relative(root, path), readFileSync(path, "utf8")),
      loader: "ts",
    }));
  },
});

process.on("SIGUSR2", () => {
  const list = [...ran].map((id) => functions[id] ?? "");
  ran.clear();
  isStarting = false;
  process.stdout.write(`${JSON.stringify({ functionsThatRan: list })}\n`);
});

await import("../../src/main.ts");

/** The same program, with a call `markFunction(id)` at the start of each function. */
function markFunctions(path: string, text: string): string {
  const marked = transformSync(text, {
    filename: path,
    configFile: false,
    babelrc: false,
    retainLines: true,
    parserOpts: { plugins: ["typescript"] },
    plugins: [(): PluginObj => ({ visitor: { Function: (one) => addMark(path, one) } })],
  });
  if (typeof marked?.code !== "string") throw new Error(`${path} cannot be parsed`);
  return marked.code;
}

function addMark(path: string, one: NodePath<types.Function>): void {
  const id = functions.push(`${path}:${one.node.loc?.start.line}`) - 1;
  const mark = types.callExpression(types.identifier("markFunction"), [types.numericLiteral(id)]);
  const { body } = one.node;
  if (types.isBlockStatement(body)) body.body.unshift(types.expressionStatement(mark));
  else if (types.isArrowFunctionExpression(one.node)) {
    one.node.body = types.sequenceExpression([mark, body]);
  }
}
