// All mutants of what the command line names: TypeScript sources without their tests and test support,
// and the SQL functions of `drizzle/functions/`, which replace what migrations defined.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describeEdits, type Mutant } from "./mutant.ts";
import { findSqlEdits, findSqlFunctions } from "./sql-rules.ts";
import { findTypescriptEdits } from "./typescript-rules.ts";

/** Tests and test support are beside some sources; changing them proves nothing. */
const notProduct = /\.(?:test|fixture)\.tsx?$|\.d\.ts$|^packages\/testing\/|^apps\/[^/]+\/test\//;

/** The mutants of one target in the order of the files. Throws for a target that does not exist. */
export function findMutants(root: string, target: string): readonly Mutant[] {
  if (target === "sql") return findSqlMutants(root);
  const place = placeOf(root, target);
  return listSources(root, place).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return describeEdits(path, text, findTypescriptEdits(text));
  });
}

function placeOf(root: string, target: string): string {
  const known = [`packages/${target}/src`, `apps/${target}/src`, target];
  const place = known.map((path) => join(root, path)).find((path) => existsSync(path));
  if (place === undefined) throw new Error(`There is no package, folder or file "${target}".`);
  return place;
}

/** Relative to `root`. */
function listSources(root: string, place: string): readonly string[] {
  const files = statSync(place).isDirectory()
    ? readdirSync(place, { recursive: true, encoding: "utf8" }).map((path) => join(place, path))
    : [place];
  const paths = files.map((file) => relative(root, file));
  return paths.filter((path) => path.endsWith(".ts") && !notProduct.test(path)).sort();
}

function findSqlMutants(root: string): readonly Mutant[] {
  return listSqlFunctionFiles(root).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const functions = findSqlFunctions([{ path, text }]);
    const edits = functions.flatMap(({ start, end }) =>
      findSqlEdits(text.slice(start, end)).map((edit) => ({
        ...edit,
        start: edit.start + start,
        end: edit.end + start,
      })),
    );
    const functionAt = (at: number) =>
      functions.find(({ start, end }) => start <= at && at < end)?.name;
    return describeEdits(path, text, edits, functionAt);
  });
}

/** Relative to `root`, sorted by name. */
export function listSqlFunctionFiles(root: string): readonly string[] {
  const folder = "drizzle/functions";
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => `${folder}/${name}`);
}
