// What the tidy tests read: the repository's own files, each once, without installed or built files.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

export type Source = { path: string; text: string };

const notOurs = /(^|\/)(node_modules|dist|\.data[^/]*)(\/|$)/;

/** Files that match, by their path from the root, in order. */
export function listFiles(...patterns: readonly string[]): readonly string[] {
  return patterns
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: false })])
    .filter((path) => !notOurs.test(path))
    .sort();
}

export function readSource(path: string): Source {
  return { path, text: readFileSync(join(root, path), "utf8") };
}

/** Every TypeScript file of the repository. */
export function readSources(): readonly Source[] {
  return listFiles("*.ts", "{apps,packages,scripts}/**/*.{ts,tsx}").map(readSource);
}

/** Support for the tests beside it, such as `open-test-books.fixture.ts`. */
export function isFixture(path: string): boolean {
  return /\.fixture\.tsx?$/.test(path);
}

export function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

/** Tests and what only tests and scripts use. */
export function isTest(path: string): boolean {
  return (
    isFixture(path) ||
    /\.test\.tsx?$|^apps\/[^/]+\/(test|e2e)\/|^packages\/testing\/|^scripts\//.test(path)
  );
}

/** The text with comments blanked out, line breaks kept; strings are unchanged. */
export function withoutComments(text: string): string {
  const pattern =
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(pattern, (match) =>
    match.startsWith("/") ? match.replace(/[^\n]/g, " ") : match,
  );
}

/** What a file imports, including types and `import()`. */
export function importsOf(source: Source): readonly string[] {
  const text = withoutComments(source.text);
  const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n]+)["']/g;
  return [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []);
}

/** `path:line` of every match, outside comments. */
export function findMatches(source: Source, pattern: RegExp): readonly string[] {
  const text = withoutComments(source.text);
  return [...text.matchAll(pattern)].map(
    (match) => `${source.path}:${text.slice(0, match.index).split("\n").length}`,
  );
}
