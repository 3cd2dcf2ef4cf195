// Documents are compared with what they describe: variables, commands, files, the files of one request and
// the rules of biome.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFiles, readSource, root } from "./tidy/read-sources.ts";

/** Those of the repository itself, every README beside the code, and docs; CHANGELOG.md names what is gone. */
const readDocuments = () =>
  listFiles("{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md", "*/**/README.md", "docs/**/*.md").map(
    readSource,
  );

function namesIn(path: string, pattern: RegExp): readonly string[] {
  const found = [...readSource(path).text.matchAll(pattern)].flatMap((match) => match[1] ?? []);
  return [...new Set(found)].sort();
}

/** The server's variables are the keys of the schema in config.ts, and of the shape that it takes from elsewhere. */
function readConfigNames(): readonly string[] {
  return ["config", "read-object-storage"].flatMap((name) =>
    namesIn(`apps/server/src/${name}.ts`, /^ {2}([A-Z][A-Z0-9_]+):/gm),
  );
}

/** What `bun dev` reads beyond the server's variables. */
function readDevNames(): readonly string[] {
  return namesIn("scripts/dev/dev-options.ts", /\benvironment\.([A-Z][A-Z0-9_]+)/g);
}

const known = [...new Set([...readConfigNames(), ...readDevNames()])].sort();
const providerKeys = namesIn("catalog.yaml", /\$\{([A-Z0-9]+_[A-Z0-9_]+)\}/g);

test("docs/configuration.md explains exactly the variables that are read", () => {
  expect(known.length).toBeGreaterThan(10);
  expect(namesIn("docs/configuration.md", /^\| `([A-Z][A-Z0-9_]+)` +\|/gm)).toEqual(known);
});

test(".env.example lists exactly the variables that are read, and the providers' keys", () => {
  const listed = namesIn(".env.example", /^([A-Z][A-Z0-9_]+)=$/gm);
  expect(listed).toEqual([...known, ...providerKeys].sort());
});

test("the defaults in docs/configuration.md are those of config.ts", () => {
  const config = readSource("apps/server/src/config.ts").text;
  const { text } = readSource("docs/configuration.md");
  for (const [, name = "", written = ""] of text.matchAll(
    /^\| `([A-Z][A-Z0-9_]+)` +\| `?([^|`]*)`? +\|/gm,
  )) {
    const declared = new RegExp(`^ {2}${name}: (.*(?:\\n {4}.*)*)`, "m").exec(config)?.[1];
    if (declared === undefined) continue; // A variable of the scripts.
    const fallback = /(?:default|milliseconds)\(([^)]*)\)/.exec(declared)?.[1] ?? "";
    const value = fallback.replace(/^"|"$|(?<=\d)_(?=\d)/g, "");
    if (value !== "") expect(`${name}=${written.trim()}`).toBe(`${name}=${value}`);
    else expect(`${name} ${declared}`).not.toMatch(/default\("?[^")]/);
  }
});

test("README.md fits on one screen", () => {
  expect(readSource("README.md").text.trimEnd().split("\n").length).toBeLessThanOrEqual(70);
});

test("every command a document names exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const unknown = readDocuments().flatMap(({ path, text }) =>
    [...text.matchAll(/\bbun run ([a-z][a-z:-]*)/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !(name in scripts))
      .map((name) => `${path}: bun run ${name}`),
  );
  expect(unknown).toEqual([]);
  const lost = Object.values<string>(scripts).flatMap((command) =>
    [...command.matchAll(/[\w./-]+\.ts\b/g)].map(([file]) => file),
  );
  expect(lost.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("every file a document names exists", () => {
  const top = "apps|packages|scripts|drizzle|docs|deploy|patches|\\.ci|\\.github|src|e2e";
  const kinds = "md|tsx?|json|yaml|toml|sql|css";
  const quoted = new RegExp(`\`((?:${top})/[\\w./-]+|[\\w.-]+\\.(?:${kinds}))\``, "g");
  const lost = readDocuments().flatMap(({ path, text }) =>
    [...text.matchAll(quoted)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "dev.json" && !isThere(name, dirname(path)))
      .map((name) => `${path}: ${name}`),
  );
  expect(lost).toEqual([]);
});

/** From the root, or from the folder of the README; a bare file name may be anywhere in the sources. */
function isThere(name: string, folder: string): boolean {
  if (existsSync(join(root, name)) || existsSync(join(root, folder, name))) return true;
  if (name.includes("/")) return false;
  return listFiles(`{apps,packages,scripts,docs,drizzle}/**/${name}`).length > 0;
}

test("no text refers to a section of a document that is not in the repository", () => {
  const kinds = "ts,tsx,css,html,py,sql,md,yaml";
  const marked = listFiles(`*.{${kinds}}`, `{apps,packages,scripts,drizzle,docs}/**/*.{${kinds}}`)
    .map(readSource)
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) => (/\u00a7/.test(line) ? `${path}:${index + 1}` : [])),
    );
  expect(marked).toEqual([]);
});

test("to follow one request, at most twenty files with 2,000 lines have to be read", () => {
  const text = readSource("ARCHITECTURE.md").text;
  const heading = "The files of one request";
  const list = new RegExp(
    `^#+ ${heading}\\b[\\s\\S]*?^\`\`\`[^\\n]*\\n([\\s\\S]*?)^\`\`\``,
    "m",
  ).exec(text);
  if (!list?.[1]) throw new Error(`ARCHITECTURE.md has no fenced list under "${heading}".`);
  const files = list[1].split("\n").flatMap((line) => /^\s*([\w./-]+\.ts)\b/.exec(line)?.[1] ?? []);
  expect(files.length).toBeGreaterThan(3);
  expect(files.length).toBeLessThanOrEqual(20);
  const lines = files.map((file) => readSource(file).text.trimEnd().split("\n").length);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2_000);
});

test("every README beside the code is read", () => {
  const paths = readDocuments().map(({ path }) => path);
  expect(paths).toContain("apps/console/README.md");
  expect(paths).toEqual([...new Set(paths)]);
});

/** Of a page of docs/how: the rows of its table of failures, in cells. */
function failuresIn(text: string): readonly (readonly string[])[] {
  const [, table = ""] = /^## Failures\n[\s\S]*?((?:^\|.*\n)+)/m.exec(text) ?? [];
  const rows = table.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) => row.split("|").map((cell) => cell.trim()));
}

test("a page of docs/how has a diagram, and failures that name tests by titles that exist", () => {
  const pages = listFiles("docs/how/*.md").map(readSource);
  expect(pages.length).toBeGreaterThanOrEqual(5);
  const tests = listFiles("{apps,packages,scripts}/**/*.test.ts")
    .map(readSource)
    .map(({ text }) => text)
    .join("\n");
  const wrong = pages.flatMap(({ path, text }) => {
    const [head = [], , ...failures] = failuresIn(text);
    const isWhole = /^```text\n/m.test(text) && head.at(-2) === "test" && failures.length > 3;
    const unproven = failures.filter((cells) => {
      const title = /^"(.+)"$/.exec(cells.at(-2) ?? "")?.[1];
      return title === undefined || !tests.includes(title);
    });
    return [...(isWhole ? [] : [path]), ...unproven.map((cells) => `${path}: ${cells.at(-2)}`)];
  });
  expect(wrong).toEqual([]);
});

test("a decision record has at most 40 lines", () => {
  const long = listFiles("docs/decisions/*.md").filter(
    (path) => readSource(path).text.trimEnd().split("\n").length > 40,
  );
  expect(long).toEqual([]);
});

type Rule = string | { level: string; options?: { maxLines?: number } };
type BiomeConfig = {
  formatter: { lineWidth: number };
  linter: { rules: Readonly<Record<string, Readonly<Record<string, Rule>> | string>> };
};

test("the rules of CONTRIBUTING.md are those that biome.json turns on, with its limits", () => {
  const biome: BiomeConfig = JSON.parse(readSource("biome.json").text);
  const groups = Object.values(biome.linter.rules).filter((group) => typeof group !== "string");
  const rules = new Map(groups.flatMap((group) => Object.entries(group)));
  expect(namesIn("CONTRIBUTING.md", /`((?:no|use)[A-Z]\w+)`/g)).toEqual([...rules.keys()].sort());
  const levels = [...rules.values()].map((rule) => (typeof rule === "string" ? rule : rule.level));
  expect(new Set(levels)).toEqual(new Set(["error"]));

  const { text } = readSource("CONTRIBUTING.md");
  const limitOf = (name: string) => {
    const rule = rules.get(name);
    return typeof rule === "object" ? rule.options?.maxLines : undefined;
  };
  expect(text).toContain(`at most ${biome.formatter.lineWidth} columns`);
  expect(text).toContain(`A file has at most ${limitOf("noExcessiveLinesPerFile")} lines`);
  expect(text).toContain(`A function has at most ${limitOf("noExcessiveLinesPerFunction")} lines`);
});
