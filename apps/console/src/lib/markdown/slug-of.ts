// The anchor of a heading, for the page that draws it and the search index that links to it.

/** The address of a heading within its page: `Who pays what?` → `who-pays-what`. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
