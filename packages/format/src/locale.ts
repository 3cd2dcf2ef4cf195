// The locale of numbers and dates: American English, unless the program says how its reader's is found.

import { parseDecimal, printDecimal } from "@turnpike/terms";

const languages = new Map<string, string>();

let readLanguage: () => string = () => "en-US";

/** Asked at each use, because a reader may change it meanwhile. */
export function setLanguage(read: () => string): void {
  readLanguage = read;
}

export function language(): string {
  const stated = readLanguage();
  const known = languages.get(stated) ?? languageFor(stated);
  languages.set(stated, known);
  return known;
}

/** Some browsers state the one of their system, such as `en-US@posix`, which Intl refuses. */
function languageFor(stated: string): string {
  try {
    return Intl.getCanonicalLocales(stated)[0] ?? "en-US";
  } catch {
    return "en-US";
  }
}

/** The typographic minus, as wide as a digit. */
export function withMinus(text: string): string {
  return text.replace("-", "−");
}

const formats = new Map<string, Intl.NumberFormat>();

/** Creating a formatter is slow; the console needs only a few. */
export function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language()} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(language(), options);
  formats.set(key, format);
  return format;
}

/** Formats an exact decimal: Intl reads the string itself, so no digit passes through a float. */
export function formatExact(decimal: string, options: Intl.NumberFormatOptions): string {
  return withMinus(numberFormat(options).format(asNumeric(printDecimal(parseDecimal(decimal)))));
}

/** Guarantee: `printDecimal` prints a numeric literal. */
function asNumeric(decimal: string): Intl.StringNumericLiteral {
  return decimal as Intl.StringNumericLiteral;
}
