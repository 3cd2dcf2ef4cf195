// The most tokens a piece of text can have by a tokenizer that is not known. How much one makes of English is
// known; of a script it has hardly seen it makes up to a token per byte, where another needs a sixth of that.
// Never less than what `count` says, and never more than the text has bytes.

/**
 * What not every tokenizer reads in words, unlike Latin letters and punctuation, with the space behind it. Some
 * read numbers digit by digit.
 */
const unfamiliar = /[^\0-/:-\u024f]+ ?/g;

/** Ranges of code points, in ascending order, and the tokens of one of their characters. Others have their bytes. */
const classes: readonly (readonly [first: number, last: number, tokens: number])[] = [
  [0x30, 0x39, 1],
  // Greek, Cyrillic, Hebrew, Arabic: two bytes each, of which every tokenizer knows the pairs.
  [0x370, 0x3ff, 1],
  [0x400, 0x52f, 0.5],
  [0x590, 0x6ff, 1.25],
  // Vietnamese, punctuation and symbols, Chinese, Japanese and Korean.
  [0x1e00, 0x1eff, 1],
  [0x2000, 0x206f, 1],
  [0x3000, 0x30ff, 1.25],
  [0x4e00, 0x9fff, 1.25],
  [0xac00, 0xd7a3, 1.25],
  [0xff00, 0xff5e, 1],
];

/** What tokenizers differ by in text that all of them know well. */
const margin = 5 / 4;

/** `count` is that of a tokenizer which knows many scripts well. */
export function boundScript(text: string, count: (text: string) => number): number {
  const counted = count(text);
  const bytes = Buffer.byteLength(text);
  let tokens = 0;
  const familiar = text.replace(unfamiliar, (run) => {
    for (const character of run) tokens += tokensOf(character);
    return " ";
  });
  const rest = familiar === text ? counted : count(familiar);
  return Math.max(counted, Math.min(Math.ceil(tokens + rest * margin), bytes));
}

function tokensOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  for (const [first, last, tokens] of classes) {
    if (point < first) break;
    if (point <= last) return tokens;
  }
  return Buffer.byteLength(character);
}
