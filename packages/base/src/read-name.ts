// Names that people give to things: normalized once, then checked, then stored and compared in that one form. A name
// contains no invisible characters and none that change the direction of text.
import { Fault } from "./fault.ts";

export type NameRules = {
  /** Of UTF-16 code units. */
  readonly charsMax: number;
  readonly mayBeEmpty?: boolean;
  /** Says how long a name may be. */
  readonly message: string;
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

/** A name in its stored form. Throws `invalid_value` with the param `name`. */
export function readName(text: string, { charsMax, mayBeEmpty = false, message }: NameRules) {
  const name = normalizeName(text);
  if (name.length > charsMax || (!mayBeEmpty && !isVisible(name))) throw refuse(message);
  if (name.search(hidden) !== -1) {
    throw refuse("A name cannot contain control characters or characters that cannot be seen.");
  }
  return name;
}

/** A name from elsewhere without the characters that a name cannot contain, cut to the length; may be empty. */
export function cleanName(text: string, charsMax: number): string {
  const cut = normalizeName(text.replace(hidden, "")).slice(0, charsMax);
  // Half of a surrogate pair may be left at the cut.
  return normalizeName(cut.replace(/[\ud800-\udbff]$/, ""));
}

/** False for a name that consists of joiners only. */
function isVisible(name: string): boolean {
  return /[^\p{Default_Ignorable_Code_Point}\p{White_Space}]/u.test(name);
}

function refuse(message: string): Fault {
  return new Fault("invalid_value", message, { param: "name" });
}
