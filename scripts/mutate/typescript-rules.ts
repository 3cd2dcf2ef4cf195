// The small changes that are tried on TypeScript: comparisons moved by one, conditions inverted or
// dropped, arithmetic swapped, guards and calls removed. Types, imports, texts and log lines are not
// changed: that would change no behavior that a test could promise.
import { parseSync, types as t, traverse } from "@babel/core";
import type { Edit } from "./mutant.ts";
import { findSqlEdits } from "./sql-rules.ts";
import { findTableEdits } from "./table-rules.ts";

const swappedOperators: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "<<": ">>",
  ">>": "<<",
  "&&": "||",
  "||": "&&",
};
const swappedMethods = new Map([
  ["Math.min", "Math.max"],
  ["Math.max", "Math.min"],
  ["some", "every"],
  ["every", "some"],
]);
const logCall = /\b(?:log|console)\??\.(?:trace|debug|info|warn|error|fatal|log)\(/;
/** Durations and buffer sizes: one more or less breaks no promise. Ten times as long may. */
const measuredName = /(?:Ms|Seconds|Bytes|timeout|interval)$/i;

/** Every edit of a source file, in the order of the text. Throws if the file does not parse. */
export function findTypescriptEdits(source: string): readonly Edit[] {
  const tree = parseSync(source, {
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ["typescript"], sourceType: "module" },
  });
  if (tree === null) throw new Error("the source was not parsed");
  const edits: Edit[] = [];
  const replace = (node: t.Node, replacement: string) => {
    edits.push({ ...spanOf(node), replacement });
  };
  const textOf = (node: t.Node) => source.slice(spanOf(node).start, spanOf(node).end);
  const skips = (node: t.Node) =>
    isOfTypes(node) || (t.isExpressionStatement(node) && logCall.test(textOf(node)));
  traverse(tree, {
    enter(path) {
      if (skips(path.node)) path.skip();
    },
    BinaryExpression({ node }) {
      if (node.operator === "+" && (isText(node.left) || isText(node.right))) return;
      replaceOperator(node, edits, source);
    },
    LogicalExpression({ node }) {
      if (node.operator === "??") replace(node, `(${textOf(node.right)})`);
      else replaceOperator(node, edits, source);
    },
    UnaryExpression({ node }) {
      if (node.operator === "!") replace(node, textOf(node.argument));
    },
    ConditionalExpression({ node }) {
      const [then, otherwise] = [textOf(node.consequent), textOf(node.alternate)];
      replace(node, `(${textOf(node.test)}) ? (${otherwise}) : (${then})`);
    },
    IfStatement({ node }) {
      replace(node.test, "false");
      if (node.alternate) replace(node.test, "true");
    },
    BooleanLiteral({ node }) {
      replace(node, String(!node.value));
    },
    NumericLiteral({ node, parent }) {
      if (isLimit(parent, textOf)) replace(node, `(${textOf(node)} + 1)`);
    },
    BigIntLiteral({ node }) {
      replace(node, `(${textOf(node)} + 1n)`);
    },
    CallExpression({ node }) {
      const callee = textOf(node.callee);
      const method = t.isMemberExpression(node.callee) ? textOf(node.callee.property) : "";
      const swapped = swappedMethods.get(callee) ?? swappedMethods.get(method);
      if (swapped === undefined) return;
      if (swapped.includes(".")) replace(node.callee, swapped);
      else if (t.isMemberExpression(node.callee)) replace(node.callee.property, swapped);
    },
    ExpressionStatement({ node }) {
      // A lone `;` is no body of an `if` for the compiler.
      if (!t.isStringLiteral(node.expression)) replace(node, "{}");
    },
    TaggedTemplateExpression({ node }) {
      if (!/(?:^|\.)(?:sql|query)\b|<.*>$/.test(textOf(node.tag))) return;
      for (const { start, value } of node.quasi.quasis) {
        const offset = start ?? 0;
        for (const edit of findSqlEdits(value.raw)) {
          edits.push({ ...edit, start: edit.start + offset, end: edit.end + offset });
        }
      }
    },
  });
  edits.push(...findTableEdits(tree, source, skips));
  return edits.sort((one, other) => one.start - other.start);
}

function isOfTypes(node: t.Node): boolean {
  if (t.isTSType(node) || t.isTSTypeAnnotation(node) || t.isImportDeclaration(node)) return true;
  return t.isTSTypeAliasDeclaration(node) || t.isTSInterfaceDeclaration(node);
}

function spanOf(node: t.Node): { start: number; end: number } {
  return { start: node.start ?? 0, end: node.end ?? 0 };
}

function isText(node: t.Node): boolean {
  if (t.isBinaryExpression(node)) return isText(node.left) || isText(node.right);
  return t.isStringLiteral(node) || t.isTemplateLiteral(node);
}

/** The operator's own position, so that comments and spaces around it are unchanged. */
function replaceOperator(
  node: t.BinaryExpression | t.LogicalExpression,
  edits: Edit[],
  source: string,
): void {
  const replacement = swappedOperators[node.operator];
  if (replacement === undefined) return;
  const from = spanOf(node.left).end;
  const start = source.indexOf(node.operator, from);
  if (start === -1 || start > spanOf(node.right).start) return;
  edits.push({ start, end: start + node.operator.length, replacement });
}

/** Whether a number under `parent` is a limit or an index rather than a duration or a size. */
function isLimit(parent: t.Node, textOf: (node: t.Node) => string): boolean {
  if (t.isBinaryExpression(parent)) return !/Ms\b|Bytes\b|Seconds\b/.test(textOf(parent));
  if (t.isCallExpression(parent)) return !/setTimeout|setInterval|sleep/.test(textOf(parent));
  if (t.isVariableDeclarator(parent)) return !measuredName.test(textOf(parent.id));
  if (t.isObjectProperty(parent)) return !measuredName.test(textOf(parent.key));
  return t.isMemberExpression(parent);
}
