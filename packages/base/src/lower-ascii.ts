// Lower case of A to Z and of nothing else, for text that is compared as an identity: `toLowerCase` also makes a `k` of
// the Kelvin sign (U+212A), so that a look-alike would equal what it imitates.

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
