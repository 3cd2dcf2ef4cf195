// How well a text matches what was typed: prefixes before word starts before scattered letters.

/** Higher is better; undefined without a match. An empty input matches everything equally. */
export function scoreMatch(text: string, typed: string): number | undefined {
  const haystack = text.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  let score = 0;
  for (const word of words) {
    const points = scoreWord(haystack, word);
    if (points === undefined) return undefined;
    score += points;
  }
  return score;
}

const wholeTextBonus = 100;
const wordStartBonus = 60;
const insideBonus = 30;

function scoreWord(text: string, word: string): number | undefined {
  if (text.startsWith(word)) return wholeTextBonus;
  const at = text.indexOf(word);
  if (at > 0) return isWordStart(text, word) ? wordStartBonus : insideBonus;
  return scoreLetters(text, word);
}

function isWordStart(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at > 0; at = text.indexOf(word, at + 1)) {
    if (/[^a-z0-9]/.test(text[at - 1] ?? "")) return true;
  }
  return false;
}

/** All letters in order; gaps lower the score. */
function scoreLetters(text: string, word: string): number | undefined {
  // Two letters in order occur in almost any text.
  if (word.length < 3) return undefined;
  let from = 0;
  let gaps = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at === -1) return undefined;
    gaps += from === 0 ? 0 : at - from;
    from = at + 1;
  }
  return gaps > word.length * 2 ? undefined : insideBonus / 2 - gaps;
}

/** The matching items, best first; equal ones keep their order. */
export function rank<Item>(
  items: readonly Item[],
  typed: string,
  textOf: (item: Item) => string,
): readonly Item[] {
  return items
    .map((item) => ({ item, score: scoreMatch(textOf(item), typed) }))
    .filter((entry): entry is { item: Item; score: number } => entry.score !== undefined)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
