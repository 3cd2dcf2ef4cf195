// The one form in which addresses are stored and compared: plain ASCII, in lower case, an international domain
// converted. What is not plain ASCII is refused before anything is folded, so that no look-alike becomes an address.

import { Fault, lowerAscii } from "@turnpike/base";
import { parseDomainName } from "../domain/parse-domain-name.ts";

const emailCharsMax = 254;

/** What browsers accept before the @. Without the flags `iu`, by which `[a-z]` matches the Kelvin sign too. */
const localPattern = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;

/** The white space that browsers strip from a field of the type `email`. */
const outerSpace = /^[ \t\n\f\r]+|[ \t\n\f\r]+$/g;

/** An address in its stored form. Throws `invalid_value`; whether it receives mail is not checked. */
export function parseEmail(text: string, param = "email"): string {
  const trimmed = text.replace(outerSpace, "");
  const email = normalizeEmail(trimmed);
  if (email !== undefined) return email;
  throw new Fault("invalid_value", whyRefused(trimmed), { param });
}

/** The same, but undefined if the text is not an address; white space around it is not removed. */
export function normalizeEmail(text: string): string | undefined {
  const [local, domainText] = splitAtLast(text);
  if (!localPattern.test(local)) return undefined;
  const domain = parseDomainName(domainText);
  if (domain === undefined) return undefined;
  const email = `${lowerAscii(local)}@${domain}`;
  return email.length <= emailCharsMax ? email : undefined;
}

function whyRefused(text: string): string {
  const [local, domain] = splitAtLast(text);
  if (/[^\0-\x7f]/.test(local)) {
    return "The part of an email address before the @ can only have plain letters (a to z), digits and signs.";
  }
  if (/[^\0-\x7f]/.test(domain)) {
    return "The domain of this email address has a character that a domain cannot have, or is too long.";
  }
  return "That is not an email address.";
}

function splitAtLast(text: string): readonly [string, string] {
  const at = text.lastIndexOf("@");
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
