// The recipes of CONTRIBUTING.md work as they are written. A sample of each is applied in a copy of the repository, all of
// them in one; the types of the whole are checked, and the tests are run that the recipes name, with the tidy tests.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { isTest, listFiles, readSources, root, withoutComments } from "../tidy/read-sources.ts";
import { addColumn } from "./add-column.ts";
import { addDialect } from "./add-dialect.ts";
import { addField } from "./add-field.ts";
import { addMetric } from "./add-metric.ts";
import { addPage } from "./add-page.ts";
import { addProvider } from "./add-provider.ts";
import { addSetting } from "./add-setting.ts";
import { addVerb } from "./add-verb.ts";
import { nameFiles, readRecipes } from "./read-recipes.ts";
import { applyRecipe } from "./recipe.ts";
import { openScratchRepository, type ScratchRepository } from "./scratch-repository.ts";

setDefaultTimeout(600_000);

const recipes = [
  addProvider,
  addDialect,
  addField,
  addColumn,
  addPage,
  addVerb,
  addMetric,
  addSetting,
];
const written = readRecipes();

let scratch: ScratchRepository;
/** What each recipe touched, or why it could not be applied. */
const touched = new Map<string, readonly string[] | Error>();

beforeAll(() => {
  scratch = openScratchRepository();
  for (const recipe of recipes) {
    try {
      applyRecipe(scratch, recipe);
      touched.set(recipe.title, scratch.commitChanges());
    } catch (thrown) {
      touched.set(recipe.title, thrown instanceof Error ? thrown : new Error(String(thrown)));
      scratch.commitChanges();
    }
  }
});
afterAll(() => scratch.remove());

/** Has no sample: its list is that of the files that name one. */
const operationTitle = "Add an operation of a model";

test("every other recipe has a sample", () => {
  expect([...recipes.map(({ title }) => title), operationTitle].toSorted()).toEqual(
    written.map(({ title }) => title).toSorted(),
  );
});

test("the files that an operation touches are those that name reranking", () => {
  const naming = readSources()
    .filter(({ path }) => /^(?:apps|packages)\/[^/]+\/src\//.test(path) && !isTest(path))
    .filter((source) => /"rerank"|\brerank:/.test(withoutComments(source.text)))
    .map(({ path }) => path);
  const listed = written.find(({ title }) => title === operationTitle)?.files;
  expect(listed).toEqual(naming.toSorted());
});

test.each(recipes)("$title: its sample touches the files that it lists", ({ title }) => {
  const files = touched.get(title);
  if (files === undefined || files instanceof Error) throw files ?? new Error("not applied");
  const listed = written.find((recipe) => recipe.title === title)?.files ?? [];
  expect(nameFiles(listed, files)).toEqual([...files]);
});

test.each([
  // One of them is the function that charges usual calls, the only place besides the schema that names all columns.
  { title: addColumn.title, most: 9 },
  { title: addField.title, most: 4 },
])("$title: the product is touched in at most $most files", ({ title, most }) => {
  const { files = [] } = written.find((recipe) => recipe.title === title) ?? {};
  const isWritten = (path: string) => !isTest(path) && !path.startsWith("drizzle/meta/");
  expect(files.filter(isWritten).length).toBeGreaterThan(0);
  expect(files.filter(isWritten).length).toBeLessThanOrEqual(most);
});

/** Resolves with what a program prints and how it ends. */
async function runIn(folder: string, command: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: join(scratch.root, folder),
    env: { ...process.env, ...more },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, output: out + errors };
}

/** Of `bun run check`, so that only what the recipes changed is checked again. */
const cache = "node_modules/.cache/turnpike";

async function checkTypes(project: string, name: string): Promise<string> {
  const buildInfo = join(cache, `${name}.tsbuildinfo`);
  mkdirSync(join(scratch.root, cache), { recursive: true });
  if (existsSync(join(root, buildInfo))) {
    copyFileSync(join(root, buildInfo), join(scratch.root, buildInfo));
  }
  const kept = ["--incremental", "--tsBuildInfoFile", join(scratch.root, buildInfo)];
  const compiler = join(scratch.root, "node_modules/.bin/tsc");
  const command = ["--bun", compiler, "-p", project, "--checkers", "1", ...kept];
  return (await runIn("", command)).output;
}

test("with all of them applied the types of everything agree", async () => {
  const [server, console] = await Promise.all([
    checkTypes(".", "server"),
    checkTypes("apps/console", "console"),
  ]);
  expect(server).toBe("");
  expect(console).toBe("");
});

const runTests = (folder: string, files: readonly string[], more?: NodeJS.ProcessEnv) =>
  runIn(folder, ["test", "--timeout=180000", ...files.map((file) => `./${file}`)], more);

/** A template with the schema of the copy. */
async function prepareTemplate(): Promise<NodeJS.ProcessEnv> {
  const { code, output } = await runIn("", ["scripts/recipes/prepare-template.ts"]);
  if (code !== 0) throw new Error(output);
  // The copy has a server of its own.
  return { TEST_TEMPLATE: output.trim().split("\n").at(-1), TEST_SERVER: undefined };
}

test("what the recipes add works, and so do the tests that they name and the tidy tests", async () => {
  const template = await prepareTemplate();
  const tidy = listFiles("scripts/tidy*.test.ts");
  const named = [...new Set([...tidy, ...written.flatMap(({ tests }) => tests)])];
  const proofs = "apps/server/test/recipes/ask-applied-recipes.ts";
  const { code, output } = await runTests("", [proofs, ...named], template);
  if (code !== 0) console.log(output);
  expect(code).toBe(0);
  for (const file of [proofs, ...named]) expect(output).toContain(`${file}:`);
});

test("the page that a recipe adds opens", async () => {
  const proofs = ["--conditions=browser", "./test/recipes/open-applied-page.tsx"];
  const { code, output } = await runIn("apps/console", ["test", "--timeout=180000", ...proofs]);
  if (code !== 0) console.log(output);
  expect(code).toBe(0);
});
