// Every regular expression in the sources of the product, including the console's: literals, and those
// built from text, which must be built from constants.
import { parseSync, traverse } from "@babel/core";
import { isTest, listFiles, readSource } from "../tidy/read-sources.ts";

export type Expression = { readonly at: string; readonly source: string; readonly flags: string };

export type Collected = {
  readonly literals: readonly Expression[];
  /** `path:line` of every `new RegExp(…)` and `RegExp(…)`. */
  readonly built: readonly string[];
};

export function collectExpressions(): Collected {
  const literals: Expression[] = [];
  const built: string[] = [];
  const paths = listFiles("{apps,packages}/*/{src,public}/**/*.{ts,tsx,js}");
  for (const path of paths.filter((one) => !isTest(one))) {
    const tree = parseSync(readSource(path).text, {
      filename: path,
      configFile: false,
      babelrc: false,
      parserOpts: { plugins: ["typescript", "jsx"] },
    });
    if (tree === null) throw new Error(`${path} cannot be parsed`);
    const at = (line: number | undefined) => `${path}:${line ?? 0}`;
    const build = (callee: { type: string; name?: unknown }, line: number | undefined) => {
      if (callee.type === "Identifier" && callee.name === "RegExp") built.push(at(line));
    };
    traverse(tree, {
      RegExpLiteral({ node }) {
        literals.push({ at: at(node.loc?.start.line), source: node.pattern, flags: node.flags });
      },
      NewExpression({ node }) {
        build(node.callee, node.loc?.start.line);
      },
      CallExpression({ node }) {
        build(node.callee, node.loc?.start.line);
      },
    });
  }
  return { literals, built };
}
