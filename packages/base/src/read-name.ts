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
 * Those that change the direction of text are ignorable too. Joiners and variation selectors are parts of visible
 * characters: of emoji, of words in Persian and in Hindi.
 */
const hidden =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;

/** The form in which a name is stored and compared; whether it is allowed is not checked. */
export function normalizeName(text: string): string {
  return text
    .trim()
    .replace(/\p{Zs}+/gu, " ")
    .normalize("NFC");
}

/** A name in its stored form. Throws `invalid_value`. */
export function readName(
  text: string,
  { charsMax, mayBeEmpty = false, message, param = "name" }: NameRules,
): string {
  const name = normalizeName(text);
  if (name.length > charsMax || (!mayBeEmpty && !isVisible(name))) throw refuse(message, param);
  if (name.search(hidden) !== -1) {
    const sentence = "A name cannot contain control characters or characters that cannot be seen.";
    throw refuse(sentence, param);
  }
  return name;
}

/** A name from elsewhere without the characters that a name cannot contain, cut to the length; may be empty. */
export function cleanName(text: string, charsMax: number): string {
  const cut = normalizeName(text.replace(hidden, "")).slice(0, charsMax);
  // Half of a surrogate pair may be left at the cut.
  return normalizeName(cut.replace(/[\ud800-\udbff]$/, ""));
}

const quotes = /["\u00ab\u00bb\u201c-\u201f\u2039\u203a\u300c-\u300f\u301d-\u301f\uff02]/gu;

/** A name within our own words, as a quotation that it cannot end. */
export function quoteName(name: string): string {
  return `\u201c${name.replace(quotes, "'")}\u201d`;
}

/** False for a name that consists of joiners only. */
function isVisible(name: string): boolean {
  return /[^\p{Default_Ignorable_Code_Point}\p{White_Space}]/u.test(name);
}

function refuse(message: string, param: string): Fault {
  return new Fault("invalid_value", message, { param });
}
