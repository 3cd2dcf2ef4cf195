// The recipes of CONTRIBUTING.md: sections whose last lines say which files a change touches, and which tests show it.
// `<name>` in a path stands for what a change chooses.
import { readSource } from "../tidy/read-sources.ts";

export type WrittenRecipe = {
  readonly title: string;
  /** In order. */
  readonly files: readonly string[];
  readonly tests: readonly string[];
};

export function readRecipes(): readonly WrittenRecipe[] {
  const { text } = readSource("CONTRIBUTING.md");
  return text.split(/^#{2,3} /m).flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    const files = listAfter(section, "Files");
    return files.length === 0 ? [] : [{ title, files, tests: listAfter(section, "Tests") }];
  });
}

/** The names between backticks of the paragraph that begins with this word. */
function listAfter(section: string, word: string): readonly string[] {
  const [, paragraph = ""] =
    new RegExp(`^${word}: ([\\s\\S]*?)(?:\\n\\n|\\n(?=[A-Z]\\w+: )|$(?![\\s\\S]))`, "m").exec(
      section,
    ) ?? [];
  return [...paragraph.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name).toSorted();
}

/** Both in one order: the files of the list under the names that they have here. */
export function nameFiles(
  listed: readonly string[],
  touched: readonly string[],
): readonly string[] {
  return listed
    .map((name) => {
      const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/<[^>]+>/g, "[^/]+");
      const form = new RegExp(`^${escaped}$`);
      return touched.find((path) => form.test(path)) ?? name;
    })
    .toSorted();
}
