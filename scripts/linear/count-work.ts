// Counts the steps in which a backtracking matcher goes through a text with an expression: work that is
// the same on every machine, however busy. It follows the specification of ECMAScript.
import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** Calls `next` with each position where the node can end, best first, until one returns true. */
type Match = (at: number, next: (at: number) => boolean) => boolean;

type Matcher = { readonly text: string; readonly flags: AST.Flags; steps: number; budget: number };

const parser = new RegExpParser({ ecmaVersion: 2025 });

export function parseExpression(source: string, flags: string): AST.RegExpLiteral {
  return parser.parseLiteral(`/${source === "" ? "(?:)" : source}/${flags}`);
}

/**
 * Steps to look for all matches in `text`. Sticky expressions are tried at every position, as a scanner
 * does. Stops at `budget`.
 */
export function countWork(literal: AST.RegExpLiteral, text: string, budget: number): number {
  const matcher: Matcher = { text, flags: literal.flags, steps: 0, budget };
  const match = alternatives(literal.pattern.alternatives, matcher);
  const all = literal.flags.global || literal.flags.sticky;
  for (let at = 0; at <= text.length && matcher.steps < budget; at += 1) {
    let end = -1;
    const found = match(at, (to) => {
      end = to;
      return true;
    });
    if (found && !all) break;
    if (found && end > at) at = end - 1;
  }
  return matcher.steps;
}

function alternatives(list: readonly AST.Alternative[], matcher: Matcher): Match {
  const options = list.map((one) => sequence(one.elements, matcher));
  return (at, next) => options.some((option) => option(at, next));
}

function sequence(elements: readonly AST.Element[], matcher: Matcher): Match {
  const parts = elements.map((element) => compile(element, matcher));
  const run = (index: number, at: number, next: (at: number) => boolean): boolean => {
    const part = parts[index];
    return part === undefined ? next(at) : part(at, (to) => run(index + 1, to, next));
  };
  return (at, next) => run(0, at, next);
}

function compile(element: AST.Element, matcher: Matcher): Match {
  switch (element.type) {
    case "Assertion":
      return assertion(element, matcher);
    case "Quantifier":
      return repetition(element, matcher);
    case "Group":
    case "CapturingGroup":
      return alternatives(element.alternatives, matcher);
    case "Backreference":
      throw new Error("a back reference is not supported");
    default: {
      const takes = characterTest(element.raw, matcher.flags);
      return step(matcher, (at) =>
        at < matcher.text.length && takes(matcher.text, at) ? at + 1 : -1,
      );
    }
  }
}

type CharacterTest = (text: string, at: number) => boolean;

/** Caches its results, because characters repeat. */
function characterTest(raw: string, flags: AST.Flags): CharacterTest {
  const one = new RegExp(`^(?:${raw})$`, oneFlags(flags));
  const answers: (boolean | undefined)[] = [];
  return (text, at) => {
    const code = text.charCodeAt(at);
    let answer = answers[code];
    if (answer === undefined) {
      answer = one.test(text.charAt(at));
      answers[code] = answer;
    }
    return answer;
  };
}

function oneFlags({ ignoreCase, unicode, dotAll, unicodeSets }: AST.Flags): string {
  return [ignoreCase && "i", unicode && "u", dotAll && "s", unicodeSets && "v"]
    .filter(Boolean)
    .join("");
}

/** One step; matches nothing once the budget is spent. */
function step(matcher: Matcher, end: (at: number) => number): Match {
  return (at, next) => {
    matcher.steps += 1;
    if (matcher.steps > matcher.budget) return false;
    const to = end(at);
    return to >= 0 && next(to);
  };
}

function assertion(node: AST.Assertion, matcher: Matcher): Match {
  const { text, flags } = matcher;
  const isWord = (at: number) => /\w/.test(text[at] ?? "");
  const isEdge = (at: number, other: number) =>
    at < 0 || at >= text.length || (flags.multiline && text[other] === "\n");
  switch (node.kind) {
    case "start":
      return step(matcher, (at) => (isEdge(at - 1, at - 1) ? at : -1));
    case "end":
      return step(matcher, (at) => (isEdge(at, at) ? at : -1));
    case "word":
      return step(matcher, (at) => ((isWord(at - 1) !== isWord(at)) !== node.negate ? at : -1));
    case "lookahead": {
      const inner = alternatives(node.alternatives, matcher);
      return step(matcher, (at) => (inner(at, () => true) !== node.negate ? at : -1));
    }
    case "lookbehind": {
      // Our own lookbehinds look at one character only.
      const inner = alternatives(node.alternatives, matcher);
      const found = (at: number) => at > 0 && inner(at - 1, (to) => to === at);
      return step(matcher, (at) => (found(at) !== node.negate ? at : -1));
    }
  }
}

/** Without recursion if the repeated element is one character: texts are longer than the stack is deep. */
function repetition({ element, min, max, greedy }: AST.Quantifier, matcher: Matcher): Match {
  if (!/Group|Assertion/.test(element.type)) {
    const takes = characterTest(element.raw, matcher.flags);
    return greedy ? mostFirst(takes, min, max, matcher) : fewestFirst(takes, min, max, matcher);
  }
  const one = compile(element, matcher);
  const more = (count: number, at: number, next: (at: number) => boolean): boolean => {
    const again = () =>
      count < max && one(at, (to) => (to > at || count < min) && more(count + 1, to, next));
    const enough = () => count >= min && next(at);
    return greedy ? again() || enough() : enough() || again();
  };
  return (at, next) => more(0, at, next);
}

function mostFirst(takes: CharacterTest, min: number, max: number, matcher: Matcher): Match {
  return (at, next) => {
    const { text } = matcher;
    const last = Math.min(text.length, at + max);
    let to = at;
    while (to < last && takes(text, to)) to += 1;
    matcher.steps += to - at + 1;
    for (; to - at >= min; to -= 1) {
      if (matcher.steps > matcher.budget) return false;
      if (next(to)) return true;
      matcher.steps += 1;
    }
    return false;
  };
}

function fewestFirst(takes: CharacterTest, min: number, max: number, matcher: Matcher): Match {
  return (at, next) => {
    const { text } = matcher;
    const last = Math.min(text.length, at + max);
    for (let to = at; ; to += 1) {
      matcher.steps += 1;
      if (matcher.steps > matcher.budget) return false;
      if (to - at >= min && next(to)) return true;
      if (to >= last || !takes(text, to)) return false;
    }
  };
}
