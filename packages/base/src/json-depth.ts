// How deep JSON is nested, before it is parsed: what walks a value calls itself for each level, and ends in an overflow of
// the stack where someone sent 30,000 of them.

/** Of what callers send; nothing that is read here has more than ten. */
export const jsonDepthMax = 64;

const quote = 0x22;
const backslash = 0x5c;

/** Whether `text` opens more than `most` arrays and objects within each other. It need not be valid JSON. */
export function isNestedDeeper(text: string, most = jsonDepthMax): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfText(text, at);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth > most) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth -= 1;
        break;
    }
  }
  return false;
}

/** The position of the quote that ends the string which begins at `start`, or of the end of the text. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
