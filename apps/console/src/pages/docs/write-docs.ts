// The docs as files for programs: each page as Markdown, /llms.txt, which lists them, /llms-full.txt, which contains
// them, the index of the search, and what search engines read.
// Built once for every installation, so facts stay `{{names}}`; the server fills them in.
import { type DocId, docGroups, docIds, docTitle } from "../../lib/docs/doc-list.ts";
import type { DocFacts } from "./doc-facts.ts";
import { fillMarkdown } from "./fill-page.ts";
import { writeIndex } from "./write-index.ts";

/** What the server fills in: the facts of the pages, `site`, without a slash at the end, and `modelUrls`. */
const open: DocFacts = {
  baseUrl: "{{baseUrl}}",
  model: "{{model}}",
  toolsModel: "{{toolsModel}}",
  schemaModel: "{{schemaModel}}",
  visionModel: "{{visionModel}}",
  filesModel: "{{filesModel}}",
  reasoningModel: "{{reasoningModel}}",
  embeddingsModel: "{{embeddingsModel}}",
  imageModel: "{{imageModel}}",
  rerankModel: "{{rerankModel}}",
  moderationModel: "{{moderationModel}}",
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
    ["docs-index.json", JSON.stringify(writeIndex((id) => fillMarkdown(readPage(id), open)))],
    ["llms.txt", writeList()],
    ["llms-full.txt", pages.map(([, text]) => text).join("\n")],
    ["robots.txt", robots],
    ["sitemap.xml", writeSitemap()],
  ]);
}

/** Pages that need a session have nothing for a search engine. */
const robots = `User-agent: *
${["/a/", "/operator", "/settings", "/trpc", "/v1/"].map((path) => `Disallow: ${path}`).join("\n")}

Sitemap: {{site}}/sitemap.xml
`;

function writeSitemap(): string {
  const paths = ["/", "/models", "/status", "/docs", ...docIds.map((id) => `/docs/${id}`)];
  const urls = paths.map((path) => `  <url><loc>{{site}}${path}</loc></url>\n`).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}{{modelUrls}}</urlset>
`;
}

function writePage(id: DocId, text: string): string {
  const filled = fillMarkdown(text, open).replace(linkWithin, "]({{site}}$1)");
  return `# ${docTitle(id)}\n\n${filled.trimEnd()}\n`;
}

const summary =
  "{{product}} is one OpenAI-compatible API in front of many models, paid from a prepaid balance. The base URL is {{baseUrl}}; a key goes into the Authorization header as a bearer token.";

function writeList(): string {
  const groups = docGroups.map(({ title, docs }) => {
    const links = docs.map((doc) => `- [${doc.title}]({{site}}/docs/${doc.id}.md)`);
    return `## ${title}\n\n${links.join("\n")}\n`;
  });
  const described = "- [OpenAPI description]({{site}}/openapi.json)\n";
  return `# {{product}}\n\n> ${summary}\n\n${groups.join("\n")}\n## API\n\n${described}`;
}
