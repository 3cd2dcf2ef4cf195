// Names that people give to things: normalized once, then checked, then stored and compared in that one form. A name
// contains no invisible characters and none that change the direction of text.
import { Fault } from "./fault.ts";

export type NameRules = {
  /** Of UTF-16 code units. */
  readonly charsMax: number;
  readonly mayBeEmpty?: boolean;
  /** Says how long a name may be. */
  readonly message: string;
  /** The field that it is. Default: `name`. */
  readonly param?: string;
};

/**
 * What cannot be seen, changes the direction of text, or has no agreed meaning; U+2800 is a pattern of no dots. Joiners and
 * variation selectors are no parts of it where they shape what is visible: see `isMisplaced`.
 */
const hidden =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u2800]|(?!\u200c|\u200d|\p{Variation_Selector})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Joiners and variation selectors. */
const shaping = /\u200c|\u200d|\p{Variation_Selector}/gu;

/** Letters and marks of the scripts in which joiners select forms of letters. Source: The Unicode Standard, 9.2 and 12.1. */
const joining =
  /^[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]$/u;
const joinedEmoji = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const pictograph = /^\p{Extended_Pictographic}$/u;
/** Emoji have two of the selectors, digits as well; ideographs have variants. Source: UTS 37 and 51. */
const hasVariants = /^[\p{Emoji}\p{Unified_Ideograph}\p{scx=Mong}]$/u;

/** Whether `character` shapes neither the one before it nor joins two that join. */
function isMisplaced(character: string, before: string, after: string): boolean {
  if (character !== "\u200c" && character !== "\u200d") return !hasVariants.test(before);
  if (joining.test(before) && joining.test(after)) return false;
  return character === "\u200c" || !joinedEmoji.test(before) || !pictograph.test(after);
}

function without(text: string): string {
  return text.replace(hidden, "").replace(shaping, (character: string, at: number, all: string) => {
    const before = [...all.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
    const after = String.fromCodePoint(all.codePointAt(at + character.length) ?? 0);
    return isMisplaced(character, before, after) ? "" : character;
  });
}

/** The form in which a name is stored and compared; whether it is allowed is not checked. */
export function normalizeName(text: string): string {
  return text
    .trim()
    .replace(/\p{Zs}+/gu, " ")
    .normalize("NFC");
}

/** A name in its stored form. Throws `invalid_value`. */
export function parseName(
  text: string,
  { charsMax, mayBeEmpty = false, message, param = "name" }: NameRules,
): string {
  const name = normalizeName(text);
  if (name.length > charsMax || (!mayBeEmpty && !isVisible(name))) throw refuse(message, param);
  if (without(name) !== name) {
    const sentence = "A name cannot contain control characters or characters that cannot be seen.";
    throw refuse(sentence, param);
  }
  return name;
}

/** A name from elsewhere without the characters that a name cannot contain, cut to the length; may be empty. */
export function cleanName(text: string, charsMax: number): string {
  const cut = normalizeName(without(text)).slice(0, charsMax);
  // Half of a surrogate pair may be left at the cut, or a joiner without what it joined.
  return normalizeName(without(cut));
}

const quotes = /["\u00ab\u00bb\u201c-\u201f\u2039\u203a\u300c-\u300f\u301d-\u301f\uff02]/gu;

/** A name within our own words, as a quotation that it cannot end. */
export function quoteName(name: string): string {
  return `\u201c${name.replace(quotes, "'")}\u201d`;
}

/** False for a name of joiners or accents only. */
function isVisible(name: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name);
}

function refuse(message: string, param: string): Fault {
  return new Fault("invalid_value", message, { param });
}
