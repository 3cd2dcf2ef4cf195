// Finds the line of a catalog's text that a mistake is about, by the path that the mistake names.
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/** From 1; the line of the nearest parent where the field itself is missing, and null for the text as a whole. */
export function createLineFinder(text: string): (path: string) => number | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  return (path) => {
    const [, named] = /^line (\d+)/.exec(path) ?? [];
    if (named !== undefined) return Number(named);
    let node: unknown = document.contents;
    let at: number | undefined;
    for (const part of partsOf(path)) {
      if (isAlias(node)) node = node.resolve(document);
      const found = childOf(node, part);
      if (found === undefined) break;
      at = found.at ?? at;
      node = found.node;
    }
    return at === undefined ? null : lines.linePos(at).line;
  };
}

/** `models[3].prices` as `["models", 3, "prices"]`. */
function partsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) =>
    index === undefined ? part : Number(index),
  );
}

type Child = { readonly node: unknown; readonly at: number | undefined };

function childOf(node: unknown, part: string | number): Child | undefined {
  if (isMap(node) && typeof part === "string") {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
    return pair && { node: pair.value, at: startOf(pair.key) };
  }
  if (!isSeq(node) || typeof part !== "number" || node.items[part] === undefined) return undefined;
  const item = node.items[part];
  return { node: item, at: startOf(item) };
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
