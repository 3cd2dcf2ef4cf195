// What a source lists by name: the keys of each object, and the first member of each pair in a list. It reads tokens, so
// a name in a comment, a type or a pattern of destructuring is not counted.
import { withoutComments } from "./read-sources.ts";

type Literal = { readonly opening: string; readonly keys: string[]; readonly firsts: string[] };

const token = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[\w$]+|\S/g;
const closings: Readonly<Record<string, string>> = { "}": "{", "]": "[", ")": "(" };

export function namesInLiterals(text: string): readonly (readonly string[])[] {
  const tokens = withoutComments(text).match(token) ?? [];
  const found: (readonly string[])[] = [];
  const open: Literal[] = [];
  for (const [index, word] of tokens.entries()) {
    if ("{[(".includes(word)) open.push({ opening: word, keys: [], firsts: [] });
    else if (word in closings) close(open, closings[word] ?? "", found);
    else note(open, word, [tokens[index - 1] ?? "", tokens[index + 1] ?? ""]);
  }
  return found;
}

/** A bracket in a regular expression may have no counterpart. */
function close(open: Literal[], opening: string, found: (readonly string[])[]): void {
  const at = open.findLastIndex((literal) => literal.opening === opening);
  if (at < 0) return;
  for (const { keys, firsts } of open.splice(at)) found.push(keys, firsts);
}

function note(open: readonly Literal[], word: string, [before, after]: [string, string]): void {
  const [inner, outer] = [open.at(-1), open.at(-2)];
  const name = word.replaceAll('"', "");
  if (inner?.opening === "{" && (before === "{" || before === ",") && after === ":") {
    inner.keys.push(name);
  }
  const isPair = inner?.opening === "[" && outer?.opening === "[";
  if (isPair && before === "[" && after === "," && word.startsWith('"')) outer.firsts.push(name);
}
