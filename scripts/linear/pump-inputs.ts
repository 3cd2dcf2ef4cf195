// The worst inputs of an expression, generated from the expression itself: pieces that it matches,
// repeated, with beginnings and ends that let a match start and then fail.
import type { AST } from "@eslint-community/regexpp";

/** Writes a text of a given length. */
export type Pump = { readonly name: string; readonly write: (length: number) => string };

const sample = " \t\n\r\u00a0!\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~sfk\u0000é＝";

/** Ends on which an expression fails. */
const tails = ["\u0000", " @\n"];

/** Two hundred at most, the same for the same expression. */
export function pumpsOf(literal: AST.RegExpLiteral): readonly Pump[] {
  const texts = [1, 2, 3, 4, 5].map((seed) =>
    generate(literal.pattern.alternatives, randomOf(seed), literal.flags),
  );
  const prefixes = unique(texts.flatMap(prefixesOf));
  const loops = loopsOf(literal);
  return [
    ...unique([...prefixes.slice(0, 50), ...loops]).flatMap((piece) => pumpsWith("", piece)),
    ...prefixes
      .slice(0, 8)
      .flatMap((head) => loops.slice(0, 6).flatMap((one) => pumpsWith(head, one))),
  ].slice(0, 200);
}

function pumpsWith(head: string, piece: string): readonly Pump[] {
  return tails.map((tail) => pumpOf(head, piece, tail));
}

function prefixesOf(text: string): readonly string[] {
  return Array.from({ length: Math.min(text.length, 16) }, (_, index) => text.slice(0, index + 1));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}

function pumpOf(head: string, piece: string, tail: string): Pump {
  return {
    name: JSON.stringify([head, piece, tail]),
    write: (length) => head + piece.repeat(Math.ceil(length / piece.length)) + tail,
  };
}

/** What repeated elements match, single characters, and pairs of them. */
function loopsOf(literal: AST.RegExpLiteral): readonly string[] {
  const loops: string[] = [];
  const visit = (element: AST.Element): void => {
    if (element.type === "Quantifier") {
      if (element.max > 1) {
        loops.push(generateOne(element.element, randomOf(7), literal.flags));
        loops.push(generateOne(element.element, randomOf(11), literal.flags));
      }
      visit(element.element);
    } else if (element.type === "Character") {
      loops.push(String.fromCodePoint(element.value));
    } else if ("alternatives" in element) {
      for (const one of element.alternatives) one.elements.forEach(visit);
    }
  };
  for (const one of literal.pattern.alternatives) one.elements.forEach(visit);
  const single = unique(loops).slice(0, 10);
  return [...single, ...single.flatMap((a) => single.slice(0, 3).map((b) => a + b))];
}

function generate(
  list: readonly AST.Alternative[],
  random: () => number,
  flags: AST.Flags,
): string {
  const one = list[Math.floor(random() * list.length)];
  return (one?.elements ?? []).map((element) => generateOne(element, random, flags)).join("");
}

function generateOne(element: AST.Element, random: () => number, flags: AST.Flags): string {
  switch (element.type) {
    case "Assertion":
    case "Backreference":
      return "";
    case "Quantifier": {
      const extra = Math.floor(random() * 3);
      const count = Math.min(element.min + extra, element.max, element.min + 3);
      return Array.from({ length: count }, () => generateOne(element.element, random, flags)).join(
        "",
      );
    }
    case "Group":
    case "CapturingGroup":
      return generate(element.alternatives, random, flags);
    default: {
      const one = new RegExp(
        `^(?:${element.raw})$`,
        `${flags.ignoreCase ? "i" : ""}${flags.unicode ? "u" : ""}`,
      );
      const fitting = [...sample, ...element.raw].filter((character) => one.test(character));
      return fitting[Math.floor(random() * fitting.length)] ?? "";
    }
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
