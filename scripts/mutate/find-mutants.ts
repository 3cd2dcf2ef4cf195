// Every mutant of what the command line names: TypeScript sources without their tests, and the newest
// SQL functions of the migrations.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describeEdits, type Mutant } from "./mutant.ts";
import { findSqlEdits, findSqlFunctions } from "./sql-rules.ts";
import { findTypescriptEdits } from "./typescript-rules.ts";

/** Tests and fixtures are beside some sources; changing them proves nothing. */
const notProduct = /\.(?:test|fixture)\.tsx?$|\.d\.ts$/;

/** The mutants of one target in the order of the files. Throws for a target that does not exist. */
export function findMutants(root: string, target: string): readonly Mutant[] {
  if (target === "sql") return findSqlMutants(root);
  const place = placeOf(root, target);
  return listSources(place).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return describeEdits(relative(root, file), text, findTypescriptEdits(text));
  });
}

function placeOf(root: string, target: string): string {
  const known = [`packages/${target}/src`, `apps/${target}/src`, target];
  const place = known.map((path) => join(root, path)).find((path) => existsSync(path));
  if (place === undefined) throw new Error(`There is no package, folder or file "${target}".`);
  return place;
}

function listSources(place: string): readonly string[] {
  const files = statSync(place).isDirectory()
    ? readdirSync(place, { recursive: true, encoding: "utf8" }).map((path) => join(place, path))
    : [place];
  return files.filter((file) => file.endsWith(".ts") && !notProduct.test(file)).sort();
}

function findSqlMutants(root: string): readonly Mutant[] {
  const folder = join(root, "drizzle");
  const migrations = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .sort()
    .map((path) => ({ path: `drizzle/${path}`, text: readFileSync(join(folder, path), "utf8") }));
  const functions = findSqlFunctions(migrations);
  return migrations.flatMap(({ path, text }) => {
    const own = functions.filter((definition) => definition.path === path);
    const edits = own.flatMap(({ start, end }) =>
      findSqlEdits(text.slice(start, end)).map((edit) => ({
        ...edit,
        start: edit.start + start,
        end: edit.end + start,
      })),
    );
    const functionAt = (at: number) => own.find(({ start, end }) => start <= at && at < end)?.name;
    return describeEdits(path, text, edits, functionAt);
  });
}
