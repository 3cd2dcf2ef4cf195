// Replaces secrets, and what reaches people and machines, in text that is about to be stored. It knows forms, not meanings:
// a password in a sentence stays. Every expression takes linear work.
import { isIPv6 } from "node:net";

export type RedactedKind = "secret" | "email" | "phone" | "ip" | "card";
export type Redactions = Partial<Record<RedactedKind, number>>;

type Rule = {
  readonly kind: RedactedKind;
  readonly form: RegExp;
  readonly accepts?: (found: string) => boolean;
};

const rules: readonly Rule[] = [
  // Keys of Turnpike, OpenAI, Anthropic, OpenRouter and others that begin like theirs.
  { kind: "secret", form: /(?<![0-9A-Za-z])sk-[0-9A-Za-z_-]{16,}/g },
  { kind: "secret", form: /(?<![0-9A-Za-z])(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{10,}/g },
  { kind: "secret", form: /(?<![0-9A-Za-z])whsec_[0-9A-Za-z+/=]{16,}/g },
  { kind: "secret", form: /(?<![0-9A-Za-z])(?:gsk|xai|tgp|hf|npm|pypi)[-_][0-9A-Za-z_-]{20,}/g },
  { kind: "secret", form: /(?<![0-9A-Za-z])(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])/g },
  {
    kind: "secret",
    form: /(?<=aws_secret_access_key\\?["']?[ \t]{0,8}[=:][ \t]{0,8}\\?["']?)[0-9A-Za-z/+]{40}/gi,
  },
  { kind: "secret", form: /(?<![0-9A-Za-z])gh[pousr]_[0-9A-Za-z]{20,}/g },
  { kind: "secret", form: /(?<![0-9A-Za-z])github_pat_[0-9A-Za-z_]{20,}/g },
  { kind: "secret", form: /(?<![0-9A-Za-z])glpat-[0-9A-Za-z_-]{20,}/g },
  { kind: "secret", form: /(?<![0-9A-Za-z])xox[abeoprs]-[0-9A-Za-z-]{10,}/g },
  { kind: "secret", form: /(?<![0-9A-Za-z])AIza[0-9A-Za-z_-]{20,}/g },
  {
    kind: "secret",
    form: /(?<![0-9A-Za-z_-])eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]*)?/g,
  },
  { kind: "secret", form: /(?<=\b(?:bearer|basic)[ \t]{1,8})[0-9A-Za-z._~+/=-]{12,}/gi },
  { kind: "secret", form: /(?<=:(?:\/\/|\\\/\\\/)[^\s:/@"]{1,100}:)[^\s@"/]{1,200}(?=@)/g },
  {
    kind: "email",
    form: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}(?:@|%40|\\u0040\uffff)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu,
  },
  {
    kind: "card",
    form: /(?<![0-9A-Za-z])[2-6]\d{3}(?:[ -]?\d){9,15}(?![0-9A-Za-z])/g,
    accepts: isCardNumber,
  },
  { kind: "phone", form: /(?<![0-9A-Za-z+])\+\d(?:[ ().-]{0,2}\d){7,14}(?!\d)/g },
  {
    kind: "phone",
    form: /(?<![0-9A-Za-z.-])(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?![0-9A-Za-z.-]\d)/g,
  },
  {
    kind: "ip",
    form: /(?<![0-9A-Za-z.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\d|\.\d)/g,
  },
  { kind: "ip", form: /(?<![0-9A-Za-z:.])[0-9A-Fa-f:]{3,39}(?![0-9A-Za-z:])/g, accepts: isAddress },
];

/** Of JSON within text, as the arguments of tools are: what follows is the beginning of a word. */
const escapes = /\\(?:[bfnrt]|u[0-9A-Fa-f]{4})/g;
/** No character, and in no word. */
const mark = "\uffff";

/** Adds what it replaced to `counts`. */
export function redactText(text: string, counts: Redactions): string {
  if (!text.includes("\\")) return applyRules(text, counts);
  return applyRules(text.replace(escapes, `$&${mark}`), counts).replaceAll(mark, "");
}

function applyRules(text: string, counts: Redactions): string {
  let redacted = dropPrivateKeys(text, counts);
  for (const { kind, form, accepts } of rules) {
    redacted = redacted.replace(form, (found: string) => {
      if (accepts?.(found) === false) return found;
      return replacement(kind, counts);
    });
  }
  return redacted;
}

/** A number that is a card's, although it was not written as text. */
export function redactNumber(value: number, counts: Redactions): number | string {
  if (!Number.isSafeInteger(value) || !isCardNumber(String(value))) return value;
  return replacement("card", counts);
}

function replacement(kind: RedactedKind, counts: Redactions): string {
  counts[kind] = (counts[kind] ?? 0) + 1;
  return `[redacted ${kind}]`;
}

const keyBegins = "-----BEGIN ";
const keyEnds = "-----END ";
/** Of the words between `BEGIN` and the dashes behind it. */
const titleMax = 60;

/** By searching for their first and last line: a block without its last line goes to the end of the text. */
function dropPrivateKeys(text: string, counts: Redactions): string {
  let from = text.indexOf(keyBegins);
  if (from < 0) return text;
  let kept = "";
  let keptTo = 0;
  while (from >= 0) {
    const titleFrom = from + keyBegins.length;
    const title = text.slice(titleFrom, titleFrom + titleMax);
    let next = titleFrom;
    if (/^[A-Z0-9 ]*PRIVATE KEY/.test(title)) {
      const end = text.indexOf(keyEnds, titleFrom);
      const behind = end < 0 ? -1 : text.indexOf("-----", end + keyEnds.length);
      next = behind < 0 ? text.length : behind + "-----".length;
      kept += text.slice(keptTo, from) + replacement("secret", counts);
      keptTo = next;
    }
    from = text.indexOf(keyBegins, next);
  }
  return kept + text.slice(keptTo);
}

function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Not a time of day, nor a path of C++. */
function isAddress(text: string): boolean {
  return /\d/.test(text) && text.indexOf(":") !== text.lastIndexOf(":") && isIPv6(text);
}
