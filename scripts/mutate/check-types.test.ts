// Which mutants are not counted: those that the compiler refuses, and nothing else.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkTypes, projectOf } from "./check-types.ts";
import { describeResults, type Result } from "./results.ts";

const root = mkdtempSync(join(tmpdir(), "turnpike-check-types-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const compilerOptions = { strict: true, noUnusedLocals: true, noUnusedParameters: true, types: [] };
writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions }));

const source = `export async function f(read: () => Promise<number>): Promise<number> {
  const spare = 1;
  const value = await read();
  return value + spare;
}
`;
const isAccepted = (text: string) => {
  writeFileSync(join(root, "f.ts"), text);
  return checkTypes(root, ".");
};

test("a change that the compiler refuses is recognized, and the source is accepted again after it", async () => {
  expect(await isAccepted(source)).toBe(true);
  expect(await isAccepted(source.replace("await read()", "(read())"))).toBe(false);
  expect(await isAccepted(source)).toBe(true);
  expect(await isAccepted(source.replace("+ spare", "- spare"))).toBe(true);
}, 120_000);

test("a name that is no longer used does not excuse a survivor", async () => {
  expect(await isAccepted(source.replace("value + spare", "value"))).toBe(true);
}, 120_000);

test("a source is checked by the project that includes it", () => {
  expect(projectOf("apps/console/src/app.ts")).toBe("apps/console");
  expect(projectOf("packages/wire/src/index.ts")).toBe(".");
});

test("refused mutants are counted apart from the survivors", () => {
  const result = (id: string, verdict: Result["verdict"]): Result => ({
    id,
    verdict,
    target: "wire",
    path: "a.ts",
    line: 1,
    change: id,
    tests: 1,
    seconds: 1,
  });
  const results = [result("a", "caught"), result("b", "survived"), result("c", "invalid")];
  expect(describeResults(results)).toBe(
    "wire: 2 mutants, 1 caught, 1 survived, 1 refused by the compiler or by PostgreSQL\n\na.ts:1: b",
  );
});
