// The name of a mail domain in the one form in which it is stored and compared: ASCII, in lower case, an international
// name as the runtime's IDNA converts it. Names that the conversion would turn into a different ASCII name are refused.

import { domainToASCII, domainToUnicode } from "node:url";
import { lowerAscii } from "@turnpike/base";

const domainCharsMax = 253;
const domainPattern =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
/** Converting would take these for the end of a host, for an escape or for a port. */
const foreignAscii = /[^A-Za-z0-9.\-\u0080-\u{10ffff}]/u;
const encodedLabel = /(?:^|\.)xn--/;

/** Undefined if the text is not a domain; white space around it is not removed. */
export function parseDomainName(text: string): string | undefined {
  // Bounds the work of the conversion; an ASCII form is hardly ever shorter.
  if (text.length > domainCharsMax) return undefined;
  const isAscii = domainPattern.test(text);
  const name = isAscii ? lowerAscii(text) : convert(text);
  if (name === undefined || name.length > domainCharsMax || !domainPattern.test(name)) {
    return undefined;
  }
  // Such a label must be what its own Unicode form is converted to.
  return isAscii && encodedLabel.test(name) && domainToASCII(name) !== name ? undefined : name;
}

/** The conversion may put other letters into lower case. All else must come back as it was written. */
function convert(text: string): string | undefined {
  if (foreignAscii.test(text)) return undefined;
  const folded = foldLetters(text);
  const name = domainToASCII(text);
  return folded !== undefined && domainToUnicode(name) === folded ? name : undefined;
}

/** Undefined if the lower case of a character beyond ASCII contains ASCII: of `K` (U+212A) and `İ` (U+0130). */
function foldLetters(text: string): string | undefined {
  let folded = "";
  for (const char of text) {
    const lower = char.toLowerCase();
    if (char > "\x7f" && /[\0-\x7f]/.test(lower)) return undefined;
    folded += lower;
  }
  return folded;
}
