// Finds sections of the docs: every word must occur, and one in a title counts more than one in the text.
import type { Section } from "./write-index.ts";

export type Found = Section & {
  /** The text around the first word that was found in it. */
  readonly excerpt: string;
};

const shownMax = 12;
const excerptLength = 110;

export function searchSections(sections: readonly Section[], typed: string): readonly Found[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, shownMax)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }));
}

function scoreOf({ title, page, text }: Section, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const points = scoreWord(title, word) * 8 + scoreWord(page, word) * 4 + scoreWord(text, word);
    if (points === 0) return 0;
    score += points;
  }
  return score;
}

/** 2 where a word begins with it, 1 inside a word. */
function scoreWord(text: string, word: string): number {
  const lower = text.toLowerCase();
  const at = lower.indexOf(word);
  if (at === -1) return 0;
  const starts = at === 0 || lower.split(/[^\p{L}\p{N}_-]+/u).some((one) => one.startsWith(word));
  return starts ? 2 : 1;
}

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const first = Math.min(...places, text.length);
  const start = places.length === 0 || first < 40 ? 0 : text.indexOf(" ", first - 40) + 1;
  const part = text.slice(start, start + excerptLength);
  return `${start > 0 ? "…" : ""}${part}${start + excerptLength < text.length ? "…" : ""}`;
}
