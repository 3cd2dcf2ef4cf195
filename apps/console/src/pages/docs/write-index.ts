// The search index of the docs: each section of each page, without the facts of an installation. Built with the
// console, and fetched when somebody searches.
import { type DocId, docs } from "../../lib/docs/doc-list.ts";
import { slugOf } from "../../lib/markdown/slug-of.ts";

export type Section = {
  readonly title: string;
  /** The page, under the heading of a section. */
  readonly page: string;
  readonly href: string;
  readonly text: string;
};

/** `readPage` returns a page with its snippets written out. */
export function writeIndex(readPage: (id: DocId) => string): readonly Section[] {
  return docs.flatMap(({ id, title, href }) =>
    sectionsOf(readPage(id)).map(({ heading, text }) => ({
      title: heading ?? title,
      page: title,
      href: heading === undefined ? href : `${href}#${slugOf(heading)}`,
      text: plain(text),
    })),
  );
}

function sectionsOf(markdown: string): readonly { heading: string | undefined; text: string }[] {
  const [lead = "", ...rest] = markdown.split(/^## /m);
  const sections = rest.map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    return { heading, text: lines.join("\n") };
  });
  return [{ heading: undefined, text: lead }, ...sections];
}

function plain(markdown: string): string {
  return markdown
    .replace(/\{\{\w+\}\}/g, "")
    .replace(/\]\([^()\s]*\)/g, "")
    .replace(/[`*_[|]|-{3,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
