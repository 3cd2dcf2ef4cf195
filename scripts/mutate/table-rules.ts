// Small changes of TypeScript beyond its operators: a member missing in a set or a table, a time ten times as
// long, arguments in the wrong order, a promise that nothing waits for.
import { types as t, traverse } from "@babel/core";
import type { Edit } from "./mutant.ts";

/** The order of their arguments does not matter. */
const eitherOrder = /^Math\.|^(?:min|max)[A-Z]?|^(?:and|or|eq)$|\.equals$/;
const timeName = /(?:Ms|Seconds|Minutes|Hours|Days)$/;
/** `5_000`, `60 * 1_000`. */
const product = /^[\d_.]+(?:\s*\*\s*[\d_.]+)*$/;

/** In the order of the tree; `skips` says below which nodes nothing is changed. */
export function findTableEdits(
  tree: t.File,
  source: string,
  skips: (node: t.Node) => boolean,
): readonly Edit[] {
  const edits: Edit[] = [];
  const textOf = (node: t.Node) => source.slice(node.start ?? 0, node.end ?? 0);
  const replace = (node: t.Node, replacement: string) => {
    edits.push({ start: node.start ?? 0, end: node.end ?? 0, replacement });
  };
  const lengthen = (name: t.Node, value: t.Node | null | undefined) => {
    if (value && timeName.test(textOf(name)) && product.test(textOf(value))) {
      replace(value, `(${textOf(value)} * 10)`);
    }
  };
  traverse(tree, {
    enter(path) {
      if (skips(path.node)) path.skip();
    },
    ArrayExpression({ node, parent }) {
      if (isTable(node, parent)) edits.push(...removeEach(node.elements, source));
    },
    ObjectExpression({ node, scope, parentPath }) {
      const isConstant =
        scope.path.isProgram() && !parentPath.findParent((path) => path.isFunction());
      if (isConstant && node.properties.length > 1)
        edits.push(...removeEach(node.properties, source));
    },
    VariableDeclarator({ node }) {
      lengthen(node.id, node.init);
    },
    ObjectProperty({ node }) {
      lengthen(node.key, node.value);
    },
    CallExpression({ node: { callee, arguments: given } }) {
      if (eitherOrder.test(textOf(callee))) return;
      for (const [index, first] of given.entries()) {
        const second = given[index + 1];
        if (second === undefined || !isName(first) || !isName(second)) continue;
        const [start, end] = [first.start ?? 0, second.end ?? 0];
        edits.push({ start, end, replacement: `${textOf(second)}, ${textOf(first)}` });
      }
    },
    AwaitExpression({ node }) {
      replace(node, `(${textOf(node.argument)})`);
    },
  });
  return edits;
}

/** The members of a set or a map, or a list of texts and numbers. */
function isTable({ elements }: t.ArrayExpression, parent: t.Node): boolean {
  if (elements.length < 2) return false;
  if (t.isNewExpression(parent) && t.isIdentifier(parent.callee)) {
    return parent.callee.name === "Set" || parent.callee.name === "Map";
  }
  return elements.every((element) => t.isStringLiteral(element) || t.isNumericLiteral(element));
}

/** Each member once, with the comma that follows it or, after the last one, that precedes it. */
function removeEach(members: readonly (t.Node | null)[], source: string): readonly Edit[] {
  return members.flatMap((member, index) => {
    if (member === null || t.isSpreadElement(member)) return [];
    const next = members[index + 1];
    const start = next ? (member.start ?? 0) : (members[index - 1]?.end ?? member.start ?? 0);
    const end = next ? (next.start ?? 0) : (member.end ?? source.length);
    return [{ start, end, replacement: "" }];
  });
}

function isName(node: t.Node): boolean {
  return t.isIdentifier(node) || (t.isMemberExpression(node) && !node.computed);
}
