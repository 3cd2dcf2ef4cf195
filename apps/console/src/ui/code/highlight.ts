// Splits a snippet into colored tokens. It produces no markup: the tokens become elements.

export type CodeLanguage = "bash" | "python" | "javascript" | "json" | "yaml" | "text";
export type CodeKind = "plain" | "keyword" | "string" | "number" | "comment" | "name";
export type CodePiece = { readonly kind: CodeKind; readonly text: string };

type Rule = readonly [CodeKind, RegExp];

/** An unclosed string runs to the end: searching for its closing quote again and again would be quadratic. */
const string: Rule = [
  "string",
  /"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|'(?:\\[\s\S]|[^'\\])*(?:'|\\?$)|`(?:\\[\s\S]|[^`\\])*(?:`|\\?$)/y,
];
const number: Rule = ["number", /\b\d+(?:\.\d+)?\b/y];
const hash: Rule = ["comment", /(?<![\w$])#[^\n]*/y];

const rules: Readonly<Record<CodeLanguage, readonly Rule[]>> = {
  bash: [
    hash,
    string,
    ["name", /\$\{?\w+\}?/y],
    ["keyword", /(?<![\w./-])(?:curl|export|npm|npx|bun|pip|python|python3|set|aider|opencode)\b/y],
    ["name", /(?<=\s)--?[a-zA-Z][\w-]*/y],
  ],
  python: [
    hash,
    string,
    [
      "keyword",
      /\b(?:from|import|for|in|if|else|elif|def|return|with|as|print|None|True|False|not|and|or|await|async|class)\b/y,
    ],
    number,
    ["name", /\b\w+(?==(?!=))/y],
  ],
  javascript: [
    ["comment", /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
    string,
    [
      "keyword",
      /\b(?:import|from|const|let|for|of|await|async|new|return|if|else|export|default|function|true|false|null|undefined|process)\b/y,
    ],
    number,
    ["name", /\b\w+(?=:)/y],
  ],
  json: [
    ["name", /"(?:\\.|[^"\\]){0,100}"(?=\s{0,20}:)/y],
    string,
    number,
    ["keyword", /\b(?:true|false|null)\b/y],
  ],
  yaml: [hash, ["name", /[\w.-]{1,100}(?=:)/y], string, number],
  text: [],
};

const plainWord = /[\w$]+|\s+|[\s\S]/y;

/** Each token becomes an element; more than this would block the page. */
const codeCharsMax = 20_000;

export function highlight(code: string, language: CodeLanguage): readonly CodePiece[] {
  if (code.length > codeCharsMax) return [{ kind: "plain", text: code }];
  const pieces: { kind: CodeKind; text: string }[] = [];
  let at = 0;
  while (at < code.length) {
    const [kind, text] = lexPiece(code, at, rules[language]);
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
    at += text.length;
  }
  return pieces;
}

function lexPiece(code: string, at: number, known: readonly Rule[]): [CodeKind, string] {
  for (const [kind, pattern] of known) {
    pattern.lastIndex = at;
    const text = pattern.exec(code)?.[0];
    if (text) return [kind, text];
  }
  plainWord.lastIndex = at;
  return ["plain", plainWord.exec(code)?.[0] ?? code.slice(at)];
}
