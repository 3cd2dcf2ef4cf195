// The docs as files for programs: each page as Markdown, and /llms.txt, which lists them.
// Built once for every installation, so facts stay `{{names}}`; the server fills them in.
import { type DocId, docGroups, docIds, docTitle } from "../../lib/docs/doc-list.ts";
import type { DocFacts } from "./doc-facts.ts";
import { fillMarkdown } from "./fill-page.ts";
import { t } from "./texts.ts";

/** What the server fills in: the facts of the pages, and `site`, without a slash at the end. */
const open: DocFacts = {
  baseUrl: "{{baseUrl}}",
  model: "{{model}}",
  toolsModel: "{{toolsModel}}",
  product: "{{product}}",
};

const linkWithin = /\]\((\/[^)\s]{0,200})\)/g;

/** Texts by path, without a slash at the start. */
export function writeDocs(readPage: (id: DocId) => string): ReadonlyMap<string, string> {
  const pages = docIds.map((id) => [id, writePage(id, readPage(id))] as const);
  const [, first = ""] = pages[0] ?? [];
  return new Map([
    ["docs.md", first],
    ...pages.map(([id, text]) => [`docs/${id}.md`, text] as const),
    ["llms.txt", writeList()],
  ]);
}

function writePage(id: DocId, text: string): string {
  const filled = fillMarkdown(text, open).replace(linkWithin, "]({{site}}$1)");
  return `# ${docTitle(id)}\n\n${filled.trimEnd()}\n`;
}

function writeList(): string {
  const groups = docGroups.map(({ title, docs }) => {
    const links = docs.map((doc) => `- [${doc.title}]({{site}}/docs/${doc.id}.md)`);
    return `## ${title}\n\n${links.join("\n")}\n`;
  });
  return `# {{product}}\n\n> ${t("docs.summary", { ...open })}\n\n${groups.join("\n")}`;
}
