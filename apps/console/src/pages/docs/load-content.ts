// The text of a page of the documentation, as Markdown, in a chunk of its own. It is no file with JSX: Vite's scan for packages reads
// a file with a glob as plain JavaScript.
import type { DocId } from "../../lib/docs/doc-list.ts";
import { loadOnce } from "../../lib/load-once.ts";

const files = import.meta.glob<string>("./content/*.md", { query: "?raw", import: "default" });

export function loadContent(id: DocId): Promise<string> {
  const load = files[`./content/${id}.md`];
  if (load === undefined) throw new Error(`the docs have no text for ${id}`);
  return loadOnce(load)();
}
