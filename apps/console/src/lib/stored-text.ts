// What this browser remembers between visits. Without storage (private windows, strict settings) it remembers
// nothing, and nothing breaks.

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined forgets it. */
export function writeStored(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The choice lasts until the page is closed.
  }
}
