// One small change of one file, and how it is recognized after the lines around it have moved.
import { createHash } from "node:crypto";

/** Replaces `start` to `end` of a file's text, counted in UTF-16 units. */
export type Edit = { start: number; end: number; replacement: string };

export type Mutant = Edit & {
  /** Stable while the line it changes stays the same. */
  id: string;
  /** Relative to the repository's root. */
  path: string;
  line: number;
  /** `a < b → a <= b`, on one line. */
  change: string;
  /** For SQL: the database function it is in. */
  sqlFunction?: string;
};

const changeCharsMax = 90;

/** Gives each edit its line, its id and a description; `functionAt` names the SQL function. */
export function describeEdits(
  path: string,
  text: string,
  edits: readonly Edit[],
  functionAt: (offset: number) => string | undefined = () => undefined,
): readonly Mutant[] {
  const seen = new Map<string, number>();
  return edits.map((edit) => {
    const lineStart = text.lastIndexOf("\n", edit.start - 1) + 1;
    const lineEnd = text.indexOf("\n", edit.start);
    const lineText = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
    const key = [path, lineText, edit.start - lineStart, edit.replacement].join("\0");
    const occurrence = (seen.get(key) ?? 0) + 1;
    seen.set(key, occurrence);
    const sqlFunction = functionAt(edit.start);
    return {
      ...edit,
      id: createHash("sha256").update(`${key}\0${occurrence}`).digest("hex").slice(0, 16),
      path,
      line: text.slice(0, edit.start).split("\n").length,
      change: `${onOneLine(text.slice(edit.start, edit.end))} → ${onOneLine(edit.replacement)}`,
      ...(sqlFunction !== undefined && { sqlFunction }),
    };
  });
}

export function applyEdit(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** `count` of `mutants` in an order that depends only on the seed. */
export function sampleMutants(
  mutants: readonly Mutant[],
  count: number,
  seed: string,
): readonly Mutant[] {
  const rank = ({ id }: Mutant) => createHash("sha256").update(`${seed}\0${id}`).digest("hex");
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

function onOneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= changeCharsMax ? flat : `${flat.slice(0, changeCharsMax - 1)}…`;
}
