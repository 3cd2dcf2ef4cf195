// Finds keys of this installation in text: by their form and checksum, without asking anyone. What is found may still
// be unknown or revoked.
import { endsWithChecksum } from "@turnpike/base";

/** In every key, and hardly ever in anything else: its absence costs one search of the text. */
const mark = "sk-tp";
const keyInText = /(?<![0-9A-Za-z])sk-tpm?-[0-9A-Za-z]{49}(?![0-9A-Za-z])/g;

/** Undefined, nearly always. At most `most`, each once. */
export function findKeyTexts(text: string, most: number): ReadonlySet<string> | undefined {
  const from = text.indexOf(mark);
  if (from < 0) return undefined;
  const found = new Set<string>();
  for (const [key] of text.slice(from).matchAll(keyInText)) {
    if (endsWithChecksum(key)) found.add(key);
    if (found.size >= most) break;
  }
  return found.size === 0 ? undefined : found;
}

export function isKeyText(text: string): boolean {
  return /^sk-tpm?-[0-9A-Za-z]{49}$/.test(text) && endsWithChecksum(text);
}
