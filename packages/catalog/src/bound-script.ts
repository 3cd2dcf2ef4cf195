// The most tokens a piece of text can have by a tokenizer that is not known. Tokenizers differ little in English, and
// by a factor of seven in scripts that some have hardly seen. Never below any of the tokenizers that
// `tokenizer-counts.json` names, on the texts that it was recorded with; other texts can have more.

/** What not every tokenizer reads in words, unlike Latin letters and punctuation, with the space behind it. */
const unfamiliar = /[^\0-/:-\u024f]+ ?/g;

type Class = {
  readonly first: number;
  readonly last: number;
  /** Of one character. */
  readonly tokens: number;
  /** Of a capital, where they are fewer than its bytes. */
  readonly ofCapital?: number;
};

/** Ranges of code points, in ascending order. The characters of all others have a token for each byte. */
const classes: readonly Class[] = [
  // Digits: some tokenizers read them one by one.
  { first: 0x30, last: 0x39, tokens: 1 },
  // Greek, Cyrillic, Hebrew and Arabic, Devanagari.
  { first: 0x370, last: 0x3ff, tokens: 1.4 },
  { first: 0x400, last: 0x52f, tokens: 0.85, ofCapital: 1.25 },
  { first: 0x590, last: 0x6ff, tokens: 1.35 },
  { first: 0x900, last: 0x97f, tokens: 1.45 },
  // Vietnamese, punctuation, Japanese and Chinese, Korean.
  { first: 0x1e00, last: 0x1eff, tokens: 1.5 },
  { first: 0x2000, last: 0x206f, tokens: 1.5 },
  { first: 0x3000, last: 0x30ff, tokens: 1.6 },
  { first: 0x4e00, last: 0x9fff, tokens: 1.75 },
  { first: 0xac00, last: 0xd7a3, tokens: 2.2 },
];

/** How much more some tokenizer makes of Latin text than the one that knows most languages, and than an old one. */
const newMargin = 1.25;
const oldMargin = 1.15;
/** More than an old tokenizer makes of capitals, of line ends and tabs, and of a symbol that is repeated. */
const extras: readonly (readonly [runs: RegExp, tokens: number])[] = [
  [/\p{Lu}{2,}/gu, 0.12],
  [/[\t\n\r]{2,}/g, 0.5],
  [/[^\p{L}\p{N}\s]{8,}/gu, 0.1],
];

export type CountText = (text: string) => number;

/**
 * `count` is that of a tokenizer which knows many scripts well, `countOld` that of one which knows English and code.
 * Never less than `count` says, nor more than the text has bytes, also in Unicode's compatible form (NFKC), which
 * some tokenizers read.
 */
export function boundScript(text: string, count: CountText, countOld: CountText): number {
  const counted = count(text);
  let tokens = 0;
  const familiar = text.replace(unfamiliar, (run) => {
    for (const character of run) tokens += tokensOf(character);
    return " ";
  });
  const known = familiar === text ? counted : count(familiar);
  tokens += Math.max(known * newMargin, countOld(familiar) * oldMargin);
  for (const [runs, each] of extras) tokens += charsOf(familiar, runs) * each;
  return Math.max(counted, Math.min(Math.ceil(tokens), bytesOf(text)));
}

function charsOf(text: string, runs: RegExp): number {
  let chars = 0;
  for (const [run] of text.matchAll(runs)) chars += run.length;
  return chars;
}

function tokensOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  for (const { first, last, tokens, ofCapital } of classes) {
    if (point < first) break;
    if (point > last) continue;
    const isCapital = character !== character.toLowerCase();
    return isCapital ? (ofCapital ?? bytesOf(character)) : tokens;
  }
  return bytesOf(character);
}

function bytesOf(text: string): number {
  return Math.max(Buffer.byteLength(text), Buffer.byteLength(text.normalize("NFKC")));
}
