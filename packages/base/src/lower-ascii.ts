// Lower case for A to Z and for no other character, for text that identifies something: `toLowerCase` also turns the
// Kelvin sign (U+212A) into a `k`, which would make a look-alike equal to what it imitates.

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
