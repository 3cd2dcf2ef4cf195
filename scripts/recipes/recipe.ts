// A recipe of CONTRIBUTING.md as it is carried out: edits that find their files by name and their places by a line, so that
// they survive moved folders and other changes of a file. A name or a line that is not found once is an error that says so.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFiles } from "../tidy/read-sources.ts";
import type { ScratchRepository } from "./scratch-repository.ts";

/** Text, or made of the text of the file. */
type Inserted = string | ((text: string) => string);

export type Edit =
  /** `after` and `before` are a part of one line; whole lines are inserted. */
  | { readonly file: string; readonly after: string; readonly insert: Inserted }
  | { readonly file: string; readonly before: string; readonly insert: Inserted }
  | { readonly file: string; readonly replace: string; readonly by: string }
  /** A new file; its folder is that of a file, or below it. */
  | { readonly beside: string; readonly add: string; readonly text: string };

export type Recipe = {
  /** In CONTRIBUTING.md. */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** Programs that write documents, by the names of their files. */
  readonly generate?: readonly string[];
  readonly finish?: (scratch: ScratchRepository) => void;
};

/** Where a file is: `name`, or as much of its path as it takes to name one. */
export function findFile(title: string, name: string): string {
  const places = listFiles(name, `{apps,packages,scripts,drizzle,docs,deploy}/**/${name}`);
  const found = [...new Set(places)];
  const [path] = found;
  if (path !== undefined && found.length === 1) return path;
  throw new Error(`"${title}": ${found.length} files are named ${name}: ${found.join(", ")}`);
}

export function applyRecipe(scratch: ScratchRepository, recipe: Recipe): void {
  for (const edit of recipe.edits) applyEdit(scratch, recipe.title, edit);
  for (const name of recipe.generate ?? []) {
    scratch.run([process.execPath, findFile(recipe.title, name)]);
  }
  recipe.finish?.(scratch);
}

function applyEdit({ root }: ScratchRepository, title: string, edit: Edit): void {
  if ("add" in edit) {
    const path = join(root, dirname(findFile(title, edit.beside)), edit.add);
    if (existsSync(path)) throw new Error(`"${title}": ${edit.add} exists already`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, edit.text);
    return;
  }
  const path = join(root, findFile(title, edit.file));
  writeFileSync(path, changeText(title, edit, readFileSync(path, "utf8")));
}

function changeText(title: string, edit: Exclude<Edit, { add: string }>, text: string): string {
  const anchor = "replace" in edit ? edit.replace : "after" in edit ? edit.after : edit.before;
  const count = text.split(anchor).length - 1;
  if (count !== 1) {
    throw new Error(`"${title}": ${edit.file} has ${count} times instead of once: ${anchor}`);
  }
  if ("replace" in edit) return text.replace(anchor, () => edit.by);
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes(anchor));
  const inserted = typeof edit.insert === "string" ? edit.insert : edit.insert(text);
  lines.splice("after" in edit ? at + 1 : at, 0, ...inserted.split("\n"));
  return lines.join("\n");
}
