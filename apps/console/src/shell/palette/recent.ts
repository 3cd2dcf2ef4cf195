// Recent choices in the palette, newest first; ids only, in this browser.

const storageKey = "palette-recent";
const kept = 5;

export function readRecent(): readonly string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(saved) ? saved.filter((id) => typeof id === "string").slice(0, kept) : [];
  } catch {
    return [];
  }
}

export function writeRecent(id: string): void {
  const ids = [id, ...readRecent().filter((one) => one !== id)].slice(0, kept);
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids));
  } catch {
    // Without storage nothing is remembered.
  }
}
