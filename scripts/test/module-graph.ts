// What each module of the repository depends on: modules that it imports, and files and folders that it names. An
// import from a package leads to the file that defines the name, so that a package's index joins nothing.
import { dirname, join, normalize } from "node:path";
import { type Source, withoutComments } from "../tidy/read-sources.ts";

/** By path from the root: paths of files, or of folders with a `/` at the end. */
export type ModuleGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** `files` are all files of the repository, `sources` the modules among them. */
export function buildModuleGraph(
  sources: readonly Source[],
  files: ReadonlySet<string>,
): ModuleGraph {
  const folders = new Set([...files].flatMap(foldersAbove));
  const modules = new Map(sources.map(({ path, text }) => [path, eraseTypes(text)] as const));
  const indexes = new Map(
    [...modules]
      .filter(([path]) => /^packages\/[^/]+\/src\/index\.ts$/.test(path))
      .map(([path, text]) => [path, parseExports(path, text)] as const),
  );
  const graph = new Map<string, ReadonlySet<string>>();
  for (const [path, text] of modules) {
    const found = new Set<string>();
    for (const target of importedFiles(path, text, indexes)) found.add(target);
    // An index only passes on; who imports a name from it depends on the file behind the name.
    if (!indexes.has(path)) {
      for (const target of namedPaths(path, text, files, folders)) found.add(target);
    }
    found.delete(path);
    graph.set(path, found);
  }
  return graph;
}

/** Which of `starts` depend on one of `changed`, directly or through others. */
export function findDependents(
  graph: ModuleGraph,
  changed: readonly string[],
  isWanted: (path: string) => boolean,
): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of graph) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  const reached = new Set(changed);
  for (const path of reached) {
    for (const target of [path, ...foldersAbove(path)]) {
      for (const importer of importers.get(target) ?? []) reached.add(importer);
    }
  }
  return [...reached].filter(isWanted).sort();
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => `${parts.slice(0, at + 1).join("/")}/`);
}

/** Without comments, and without the imports and exports that name types only. */
function eraseTypes(text: string): string {
  return withoutComments(text)
    .replace(/\b(?:import|export)\s+type\b[^"';]*["'][^"'\n]+["']/g, "")
    .replace(/\btype\s+\w+(?:\s+as\s+\w+)?\s*(?=[,}])/g, "");
}

const clause = /\b(import|export)\b\s*(?:([^"';()]*?)\s*\bfrom\s*)?["']([^"'\n]+)["']/g;
const dynamicImport = /\bimport\s*\(\s*["']([^"'\n]+)["']/g;

type Exports = ReadonlyMap<string, string>;

/** By exported name, the file that defines it; `*` for files that export everything. */
function parseExports(path: string, text: string): Exports {
  const names = new Map<string, string>();
  for (const [, , given = "", from = ""] of text.matchAll(clause)) {
    const file = normalize(join(dirname(path), from));
    for (const name of parseNames(given)) names.set(name.exported, file);
  }
  return names;
}

function parseNames(given: string): readonly { imported: string; exported: string }[] {
  const [, list] = /\{([^}]*)\}/.exec(given) ?? [];
  if (list === undefined) return [{ imported: "*", exported: "*" }];
  return list
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const [imported = one, exported = imported] = one.split(/\s+as\s+/);
      return { imported, exported };
    });
}

function importedFiles(
  path: string,
  text: string,
  indexes: ReadonlyMap<string, Exports>,
): readonly string[] {
  const found: string[] = [];
  for (const [, , given = "", from = ""] of text.matchAll(clause)) {
    // What an index only passes on.
    if (indexes.has(path) && given !== "") continue;
    const [, name] = /^@turnpike\/([\w-]+)$/.exec(from) ?? [];
    if (name === undefined) {
      if (from.startsWith(".")) found.push(resolveImport(path, from));
      continue;
    }
    const index = `packages/${name}/src/index.ts`;
    const exports = indexes.get(index);
    // A clause that names only types is empty by now.
    if (/^\{\s*,?\s*\}$/.test(given)) continue;
    for (const { imported } of parseNames(given)) {
      const file = exports?.get(imported);
      if (file !== undefined && imported !== "*") found.push(file);
      else found.push(index, ...(exports?.values() ?? []));
    }
  }
  for (const [, from = ""] of text.matchAll(dynamicImport)) {
    if (from.startsWith(".")) found.push(resolveImport(path, from));
  }
  return found;
}

function resolveImport(path: string, from: string): string {
  return normalize(join(dirname(path), from.replace(/\?.*$/, "")));
}

/** Files and folders in string literals, from the module or from the root: workers, programs, documents. */
function namedPaths(
  path: string,
  text: string,
  files: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): readonly string[] {
  const own = new Set(foldersAbove(path));
  const found: string[] = [];
  for (const [, literal = ""] of text.matchAll(/["'`]([\w@./-]+)["'`]/g)) {
    for (const base of [dirname(path), ""]) {
      const target = normalize(join(base, literal));
      if (files.has(target)) found.push(target);
      const folder = target.endsWith("/") ? target : `${target}/`;
      if (literal.includes("/") && folders.has(folder) && !own.has(folder)) found.push(folder);
    }
  }
  return found;
}
