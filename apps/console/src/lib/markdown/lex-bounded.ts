// Parses untrusted Markdown into tokens, within bounds: a text that is too long, too deep or has too many
// tokens to draw is not parsed, and the page shows it as plain text.
import { lexer, type Token } from "marked";

const charsMax = 200_000;
const tokensMax = 5_000;
const depthMax = 24;

/** Undefined beyond the bounds. The caller must bound the time, which may be very long. */
export function lexBounded(text: string): readonly Token[] | undefined {
  if (text.length > charsMax) return undefined;
  try {
    const tokens: readonly Token[] = [...lexer(text)];
    return fits(tokens) ? tokens : undefined;
  } catch {
    // Nested more deeply than the stack allows.
    return undefined;
  }
}

function fits(tokens: readonly Token[]): boolean {
  let left = tokensMax;
  const count = (inner: readonly unknown[], depth: number): boolean => {
    left -= inner.length;
    if (left < 0 || depth > depthMax) return false;
    return inner.every((one) => listsOf(one).every((list) => count(list, depth + 1)));
  };
  return count(tokens, 0);
}

/** Tokens, items, header and rows: everything inside a token is in arrays. */
function listsOf(token: unknown): readonly (readonly unknown[])[] {
  if (Array.isArray(token)) return [token];
  if (typeof token !== "object" || token === null) return [];
  return Object.values(token).filter((value) => Array.isArray(value));
}
