// Runs the blocks of docs/operations.md in tests, and finds the programs of other projects that
// they need: a machine without one skips the test and prints why.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dir, "../../../..");

const text = readFileSync(join(root, "docs/operations.md"), "utf8");

/** Every fenced block in `language` under the heading, in order. Throws if there is none. */
export function readBlocks(heading: string, language: string): readonly string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm");
  const blocks = [...section.matchAll(fence)].flatMap(([, block]) => block ?? []);
  if (blocks.length === 0) throw new Error(`docs/operations.md has no ${language} in ${heading}`);
  return blocks;
}

export function readBlock(heading: string, language: string): string {
  return readBlocks(heading, language)[0] ?? "";
}

/** Replaces each text of `changes`; throws if one does not occur, because the block then changed. */
export function adapt(block: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((adapted, [from, to]) => {
    if (!adapted.includes(from)) throw new Error(`the block does not contain: ${from}`);
    return adapted.replaceAll(from, to);
  }, block);
}

/** The path of a program, including servers that are only in root's PATH. */
export function findProgram(name: string): string | undefined {
  return Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }) ?? undefined;
}
