// Replaces values at any depth of a JSON text, so that all others keep their bytes. Each character is passed once, whatever is replaced
// and however deep it is.
import { editJsonObject, endOfString, findMembers, skipSpaces } from "./edit-json-object.ts";

/** The keys and the indexes on the way to a value. */
export type JsonPlace = readonly (string | number)[];

type Replacement = {
  readonly place: JsonPlace;
  /** The new value, as JSON text. */
  readonly json: string;
};

/** A value that is replaced, or has such values inside. */
type Node = { json: string | undefined; readonly below: Map<string | number, Node> };

/**
 * `raw` is the text of an object that `JSON.parse` accepts, and whose nested objects have each key once. What is at no place
 * of it is left out; no place is inside of another.
 */
export function replaceInside(raw: string, replacements: readonly Replacement[]): string {
  const root = emptyNode();
  for (const { place, json } of replacements) nodeAt(root, place).json = json;
  const text = editJsonObject(raw, findMembers(raw), {});
  const walk: Walk = { text, kept: [], copyFrom: 0 };
  walkValue(walk, skipSpaces(text, 0), root);
  return walk.kept.join("") + text.slice(walk.copyFrom);
}

function emptyNode(): Node {
  return { json: undefined, below: new Map() };
}

function nodeAt(root: Node, place: JsonPlace): Node {
  let node = root;
  for (const step of place) {
    const next = node.below.get(step) ?? emptyNode();
    node.below.set(step, next);
    node = next;
  }
  return node;
}

type Walk = { readonly text: string; readonly kept: string[]; copyFrom: number };

/** Each returns the index behind the value that begins at `at`. */
function walkValue(walk: Walk, at: number, node: Node | undefined): number {
  const { text } = walk;
  if (node === undefined) return endOfValue(text, at);
  if (node.json !== undefined) {
    const end = endOfValue(text, at);
    walk.kept.push(text.slice(walk.copyFrom, at), node.json);
    walk.copyFrom = end;
    return end;
  }
  if (text[at] === "{") return walkObject(walk, at, node);
  return text[at] === "[" ? walkArray(walk, at, node) : endOfValue(text, at);
}

function walkObject(walk: Walk, open: number, { below }: Node): number {
  const { text } = walk;
  let at = skipSpaces(text, open + 1);
  while (text[at] === '"') {
    const close = endOfString(text, at) + 1;
    const colon = skipSpaces(text, close);
    const start = skipSpaces(text, colon + 1);
    const end = walkValue(walk, start, below.get(String(JSON.parse(text.slice(at, close)))));
    at = skipSpaces(text, end);
    if (text[at] === ",") at = skipSpaces(text, at + 1);
  }
  return at + 1;
}

function walkArray(walk: Walk, open: number, { below }: Node): number {
  const { text } = walk;
  let at = skipSpaces(text, open + 1);
  for (let index = 0; at < text.length && text[at] !== "]"; index += 1) {
    at = skipSpaces(text, walkValue(walk, at, below.get(index)));
    if (text[at] === ",") at = skipSpaces(text, at + 1);
  }
  return at + 1;
}

const behindScalar: ReadonlySet<string> = new Set([",", "]", "}", " ", "\n", "\r", "\t"]);

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start) + 1;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (depth === 0 && at > start && behindScalar.has(character)) return at;
    if (character === '"') at = endOfString(text, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
