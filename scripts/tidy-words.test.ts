// One word for one thing in what people read: in the console and its docs a program sends requests. "Call" is only what a
// model asks for with a tool, and what one does to an API.
import { expect, test } from "bun:test";
import {
  isTest,
  listFiles,
  readSource,
  readSources,
  withoutComments,
} from "./tidy/read-sources.ts";

const folder = "apps/console/src/";
/** Of operators, whose words are those of the commands. */
const desk = `${folder}pages/operator/`;

/** "A call", "calls are refused", "per call"; not "tool calls", "function calling", or "call the API". */
const call =
  /(?<!\b(?:tool|function) )\b[Cc]alls?\b(?! (?:the API|it\b|them\b|a tool|another base URL|models\b))/;

/** Text of several words between quotes or tags, which is what is read and not a name of the program. */
function wordsIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"([^"\n]* [^"\n]*)"|`([^`\n]* [^`\n]*)`/g)];
  const between = [...text.matchAll(/>([^<>{};=()]*\s[^<>{};=()]*)[<{]/g)];
  return [...quoted, ...between].map((found) =>
    (found.slice(1).find((part) => part) ?? "").replace(/\$\{[^}]*\}/g, "…"),
  );
}

/** Without code: blocks, and names between backticks. */
function proseOf(markdown: string): readonly string[] {
  return markdown.replace(/```[\s\S]*?```|`[^`]*`/g, "").split("\n");
}

test("the console says request, not call", () => {
  const found = readSources()
    .filter(({ path }) => path.startsWith(folder) && !path.startsWith(desk) && !isTest(path))
    // Programs to paste, and what a model asked for with a tool.
    .filter(({ path }) => !/\/(?:snippets|write-markdown|messages)\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      wordsIn(withoutComments(text))
        .filter((words) => call.test(words))
        .map((words) => `${path}: ${words.trim()}`),
    );
  expect(found).toEqual([]);
});

test("the docs of the console say request, not call", () => {
  const found = listFiles(`${folder}pages/docs/content/*.md`)
    .map(readSource)
    .flatMap(({ path, text }) =>
      proseOf(text)
        .filter((line) => call.test(line))
        .map((line) => `${path}: ${line}`),
    );
  expect(found).toEqual([]);
});

test.each([
  ["Too few calls to say.", true],
  ["Every call is billed.", true],
  ["Parallel tool calls are supported.", false],
  ["Create a key to call the API.", false],
])("%s is refused: %p", (text, isRefused) => {
  expect(call.test(text)).toBe(isRefused);
});
