// The small changes that are tried on SQL, by keywords and operators rather than by a grammar: a change
// that PostgreSQL refuses is not counted.
import type { Edit } from "./mutant.ts";

const coarser: Readonly<Record<string, string>> = {
  hour: "day",
  day: "week",
  week: "month",
  month: "year",
};

const rules: readonly { pattern: RegExp; replace: (found: string) => string }[] = [
  { pattern: /(?<=[\w)\]'"] )<=(?= )/g, replace: () => "<" },
  { pattern: /(?<=[\w)\]'"] )>=(?= )/g, replace: () => ">" },
  { pattern: /(?<=[\w)\]'"] )<(?= )/g, replace: () => "<=" },
  { pattern: /(?<=[\w)\]'"] )>(?= )/g, replace: () => ">=" },
  { pattern: /(?<=[\w)\]'"] )<>(?= )/g, replace: () => "=" },
  { pattern: /(?<=[\w)\]'"] )\+(?= )/g, replace: () => "-" },
  { pattern: /(?<=[\w)\]'"] )-(?= )/g, replace: () => "+" },
  { pattern: /\bIS NOT NULL\b/gi, replace: () => "IS NULL" },
  { pattern: /\bIS NULL\b/gi, replace: () => "IS NOT NULL" },
  { pattern: /\bAND\b(?! (?:CURRENT|UNBOUNDED))/gi, replace: () => "OR" },
  { pattern: /\bOR\b(?! REPLACE)/gi, replace: () => "AND" },
  { pattern: /\bleast(?=\()/gi, replace: () => "greatest" },
  { pattern: /\bgreatest(?=\()/gi, replace: () => "least" },
  { pattern: /\btrue\b/gi, replace: () => "false" },
  { pattern: /\bfalse\b/gi, replace: () => "true" },
  {
    pattern: /\b(?:ELS)?IF (?=\S)(?!NOT FOUND|EXISTS|NOT EXISTS)/g,
    replace: (found) => `${found}false AND `,
  },
  { pattern: /\bIF NOT FOUND THEN\b/g, replace: () => "IF FOUND THEN" },
  // Days, hours and weeks that begin or end elsewhere.
  { pattern: /::date\b(?!\[)/g, replace: (found) => `${found} - 1` },
  { pattern: /(?<=\binterval ')\d+(?= )/gi, replace: (found) => String(Number(found) * 2) },
  { pattern: /(?<=[+-] )\d+\b(?!\.)/g, replace: (found) => String(Number(found) + 1) },
  { pattern: /(?<=\bdate_trunc\(')\w+(?=')/gi, replace: (found) => coarser[found] ?? "year" },
  // A value missing in a list.
  { pattern: /(?<=[([])'\w+', (?=')/g, replace: () => "" },
  { pattern: /, '\w+'(?=[,)\]])/g, replace: () => "" },
];

/** Edits of a piece of SQL, in the order of the text; comments are not changed. */
export function findSqlEdits(text: string): readonly Edit[] {
  // Of equal length, so that offsets stay.
  const code = text.replaceAll(/--.*$/gm, (comment) => " ".repeat(comment.length));
  const edits: Edit[] = [];
  for (const { pattern, replace } of rules) {
    for (const { index, 0: found } of code.matchAll(pattern)) {
      if (found.toUpperCase() === "AND" && isBetween(code, index)) continue;
      edits.push({ start: index, end: index + found.length, replacement: replace(found) });
    }
  }
  return edits.sort((one, other) => one.start - other.start);
}

/** The AND of `x BETWEEN a AND b` joins no conditions. */
function isBetween(code: string, index: number): boolean {
  return /\bBETWEEN\s+\S+\s+$/i.test(code.slice(0, index));
}

export type SqlFunction = { name: string; path: string; start: number; end: number };

/** The position of the body of each function that these files define. */
export function findSqlFunctions(
  files: readonly { path: string; text: string }[],
): readonly SqlFunction[] {
  const definition = /^CREATE (?:OR REPLACE )?FUNCTION (\w+)[\s\S]*?AS (\$\w*\$)([\s\S]*?)\2/gm;
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(definition)].map(
      ({ index, 0: whole, 1: name = "", 2: quote = "", 3: body = "" }) => {
        const end = index + whole.length - quote.length;
        return { name, path, start: end - body.length, end };
      },
    ),
  );
}
