import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { faultStatus } from "@turnpike/wire";
import { docIds, findDoc } from "../../lib/docs/doc-list.ts";
import { apiErrors } from "../../product/usage/api-errors.ts";
import { pages } from "../../shell/routes.ts";
import { fillFacts, fillMarkdown, snippetNames, writeErrorTables } from "./fill-page.ts";
import { searchSections } from "./search-sections.ts";
import { docSnippets } from "./snippets.ts";
import { writeDocs } from "./write-docs.ts";
import { writeIndex } from "./write-index.ts";

const facts = {
  baseUrl: "https://api.example.com/v1",
  model: "acme/large",
  toolsModel: "acme/tools",
  schemaModel: "acme/schema",
  visionModel: "acme/vision",
  filesModel: "acme/files",
  reasoningModel: "acme/reasoning",
  embeddingsModel: "acme/embeddings",
  imageModel: "acme/image",
  rerankModel: "acme/rerank",
  moderationModel: "acme/moderation",
  product: "Acme",
};
const folder = join(import.meta.dirname, "content");
const pageOf = (id: string) => readFileSync(join(folder, `${id}.md`), "utf8");
const snippets = docSnippets(facts);

test("every page in the contents has a text, and every text is in the contents", () => {
  const files = readdirSync(folder).map((name) => name.replace(/\.md$/, ""));
  expect(files.sort()).toEqual([...docIds].sort());
});

test("pages use only snippets and facts that exist, and every snippet is shown", () => {
  const asked = new Set<string>();
  for (const id of docIds) {
    const text = pageOf(id);
    expect(fillFacts(text, facts)).not.toContain("{{");
    for (const name of snippetNames(text)) asked.add(name);
    expect(fillMarkdown(text, facts)).not.toContain("```snippet");
  }
  expect([...asked].sort()).toEqual(Object.keys(snippets).sort());
});

test("links within the site lead to pages that exist", () => {
  for (const id of docIds) {
    const links = [...pageOf(id).matchAll(/\]\((\/[^)]*)\)/g)].map(([, href]) => href ?? "");
    for (const href of links) {
      const path = href.replace(/[?#].*$/, "");
      const known = pages.some((page) => page.path === path);
      expect([href, known || findDoc(path.replace(/^\/docs\/?/, "")) !== undefined]).toEqual([
        href,
        true,
      ]);
    }
  }
});

test("the errors page names every status that Billing charges for", () => {
  const rows = pageOf("billing")
    .split("\n")
    .map((line) => line.split("|"));
  const charged = rows
    .filter(([, , seen = "", bill = ""]) => /\b\d{3}\b/.test(seen) && !bill.includes("nothing"))
    .flatMap(([, , seen = ""]) => seen.match(/\b[45]\d\d\b/g) ?? [])
    .filter((status) => status !== "402");
  expect([...new Set(charged)]).toEqual(["503"]);
  expect(pageOf("errors")).toContain("Exception: a 503 with `x-should-retry: false`");
});

test("each error is explained with the status and the code that the API answers", () => {
  const tables = writeErrorTables();
  for (const [name, { status, code }] of Object.entries<{ status: number; code: string | null }>(
    faultStatus,
  )) {
    expect([name, apiErrors[name]]).toEqual([name, expect.objectContaining({ status, code })]);
    expect(tables).toContain(`${status} ${code === null ? "(no code)" : `\`${code}\``}`);
  }
});

test("the index has every section, under an address that its page has", () => {
  const sections = writeIndex((id) => fillMarkdown(pageOf(id), facts));
  expect(new Set(sections.map(({ href }) => href)).size).toBe(sections.length);
  const first = (typed: string) => searchSections(sections, typed)[0]?.href;
  expect(first("structured")).toBe("/docs/structured-output");
  expect(first("errors retries")).toBe("/docs/errors");
  expect(first("who pays")).toBe("/docs/billing#who-pays-what");
  expect(searchSections(sections, "X-OpenRouter-Cache-TTL")[0]?.excerpt).toContain("TTL");
  expect(searchSections(sections, "no-such-word-anywhere")).toEqual([]);
  expect(searchSections(sections, "  ")).toEqual([]);
});

test("snippets are filled in, and contain no key and no prompt signs", () => {
  for (const snippet of Object.values(snippets).flat()) {
    expect(snippet.code).not.toMatch(/^\s*[$>%] /m);
    expect(snippet.code).not.toMatch(/sk-tp-[a-z0-9]/i);
    expect(snippet.code).not.toMatch(/undefined|YOUR_|<[a-z-]+>/);
  }
  expect(JSON.parse(snippets.opencode?.[0]?.code ?? "")).toMatchObject({
    model: "gateway/acme/large",
  });
});

test("an address finds its page, and an unknown one finds none", () => {
  expect([findDoc(undefined), findDoc(""), findDoc("errors"), findDoc("errors/")]).toEqual([
    "quickstart",
    "quickstart",
    "errors",
    "errors",
  ]);
  expect(findDoc("../../etc")).toBeUndefined();
});

test("the Markdown files equal the pages once their facts are filled in", () => {
  const files = writeDocs(pageOf);
  for (const id of docIds) {
    const file = files.get(`docs/${id}.md`)?.replaceAll("{{site}}", "") ?? "";
    expect(fillFacts(file, facts)).toEndWith(`\n\n${fillMarkdown(pageOf(id), facts).trimEnd()}\n`);
  }
  expect(files.get("docs.md")).toBe(files.get("docs/quickstart.md") ?? "");
  const list = files.get("llms.txt") ?? "";
  for (const id of docIds) {
    expect(list).toContain(`({{site}}/docs/${id}.md)`);
    expect(files.get("llms-full.txt")).toContain(files.get(`docs/${id}.md`) ?? "missing");
    expect(files.get("sitemap.xml")).toContain(`<loc>{{site}}/docs/${id}</loc>`);
  }
  expect(files.get("robots.txt")).toContain("Sitemap: {{site}}/sitemap.xml");
});
