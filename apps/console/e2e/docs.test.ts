// The docs: every snippet runs as copied.
import { expect } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preparePython } from "@turnpike/testing";
import type { Locator, Page } from "playwright-core";
import { browserTest, memberTest } from "./browser-test.fixture.ts";
import { consoleFolder } from "./build-console.fixture.ts";

const pages = ["quickstart", "streaming", "tools", "errors", "account", "models"];
const everyPage = [
  ...["quickstart", "models", "streaming", "tools", "errors"],
  ...["limits", "guardrails", "billing", "budgets"],
  ...["organizations", "account"],
  ...["migrate", "openai-sdk", "ai-sdk", "langchain", "cline", "continue", "aider", "opencode"],
];

type Snippet = { readonly page: string; readonly label: string; readonly code: string };

/** Every snippet of a page, each tab of it. */
async function readSnippets(page: Page, name: string): Promise<readonly Snippet[]> {
  const article = page.getByRole("article");
  await article.locator("pre").first().waitFor();
  const labels = ["curl", "Python", "Node", "AI SDK"];
  const found = new Map<string, Snippet>();
  const collect = async () => {
    for (const block of await article.locator("pre").all()) {
      const code = (await block.textContent()) ?? "";
      const label = (await block.getAttribute("aria-label")) ?? "";
      found.set(code, { page: name, label, code });
    }
  };
  await collect();
  for (const label of labels) {
    const tabs = article.getByRole("tab", { name: label, exact: true });
    for (const tab of await tabs.all()) await tab.click();
    await collect();
  }
  return [...found.values()];
}

memberTest(
  "DOC-1 every snippet for curl, Node, AI SDK and Python runs as pasted",
  async ({ page, goTo, member }) => {
    const { key } = await member.createKey("docs");
    const python = await preparePython();
    if (python.kind === "absent") console.log(`Python snippets are skipped: ${python.reason}`);
    const folder = mkdtempSync(join(tmpdir(), "turnpike-docs-"));
    symlinkSync(join(consoleFolder, "node_modules"), join(folder, "node_modules"));
    const ran: string[] = [];
    try {
      for (const name of pages) {
        await goTo(`/docs/${name}`);
        for (const snippet of await readSnippets(page, name)) {
          const command = commandOf(
            snippet,
            folder,
            python.kind === "ready" ? python.path : undefined,
          );
          if (command === undefined) continue;
          await run(command, { ...snippet, folder, key });
          ran.push(snippet.label);
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const count = (label: string) => ran.filter((one) => one === label).length;
    expect(count("curl")).toBeGreaterThanOrEqual(3);
    expect(count("Node")).toBeGreaterThanOrEqual(4);
    expect(count("AI SDK")).toBeGreaterThanOrEqual(2);
    if (python.kind === "ready") expect(count("Python")).toBeGreaterThanOrEqual(4);
  },
  { usd: "10" },
);

/** How to run a snippet; undefined for snippets that are not programs, such as an installation. */
function commandOf(
  { code }: Snippet,
  folder: string,
  python: string | undefined,
): readonly string[] | undefined {
  if (/^curl /.test(code))
    return ["bash", "-c", code.replace(/^curl /, "curl -sS --fail-with-body ")];
  if (!/^(import|from) /.test(code)) return undefined;
  if (/^import [^;]*? from "|^import .*;/m.test(code)) {
    writeFileSync(join(folder, "snippet.mjs"), code);
    return [Bun.which("node") ?? process.execPath, join(folder, "snippet.mjs")];
  }
  return python === undefined ? undefined : [python, "-c", code];
}

type Run = Snippet & { readonly folder: string; readonly key: string };

async function run(command: readonly string[], { page, label, folder, key }: Run): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", API_KEY: key, HOME: folder },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (code !== 0 || out.trim() === "") {
    throw new Error(`The ${label} snippet of ${page} ended with ${code}:\n${out}\n${errors}`);
  }
}

browserTest("DOC-2 the copied text is the code, without prompt signs", async ({ page, goTo }) => {
  let copied = 0;
  for (const name of everyPage) {
    await goTo(`/docs/${name}`);
    const article = page.getByRole("article");
    await article.getByRole("button", { name: "Copy as Markdown" }).waitFor();
    for (const block of await article.locator("pre").all()) {
      const code = (await block.textContent()) ?? "";
      expect(code).not.toMatch(/^\s*(\$|>|#)\s/m);
      await copyButtonOf(block).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
      copied += 1;
    }
  }
  expect(copied).toBeGreaterThan(10);
});

/** The nearest one around a block of code. */
function copyButtonOf(block: Locator): Locator {
  const frame = block.locator(
    'xpath=ancestor::*[.//button[starts-with(normalize-space(.), "Cop")]][1]',
  );
  return frame.getByRole("button", { name: /^Cop/ }).first();
}

browserTest(
  "DOC-3 an unknown path shows 404 with working navigation",
  async ({ page, goTo, environment }) => {
    for (const path of ["/no/such/page", "/docs/no-such-page"]) {
      await goTo(path);
      await page.getByText("Check the URL, or go back to Overview.").waitFor();
      await page.getByRole("link", { name: "Browse models" }).click();
      await page.waitForURL(`${environment.url}/models`);
      await page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
    }
  },
);

browserTest(
  "each page of the docs is Markdown at its own address, listed by llms.txt",
  async (one) => {
    const { page, goTo, environment } = one;
    const list = await read(`${environment.url}/llms.txt`);
    const links = [...list.matchAll(/\]\((\S+)\)/g)].map(([, href]) => href ?? "");
    expect(links).toEqual(everyPage.map((name) => `${environment.url}/docs/${name}.md`));
    for (const link of links) expect(await read(link)).toStartWith("# ");
    expect(await read(`${environment.url}/docs/errors.md`)).toContain("insufficient_quota");
    expect((await fetch(`${environment.url}/docs/no-such-page.md`)).status).toBe(404);
    const sitemap = await read(`${environment.url}/sitemap.xml`);
    const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, href]) => href ?? "");
    expect(pages.length).toBeGreaterThan(everyPage.length + 4);
    for (const address of pages) {
      const { status } = await fetch(address, { headers: { accept: "text/html" } });
      expect([address, status]).toEqual([address, 200]);
    }
    expect(await read(`${environment.url}/robots.txt`)).toContain(`${environment.url}/sitemap.xml`);
    await goTo("/docs/quickstart");
    await page.getByRole("link", { name: "View as Markdown" }).click();
    await page.waitForURL(`${environment.url}/docs/quickstart.md`);
    expect(await page.locator("body").textContent()).toContain(
      `${environment.baseUrl}/chat/completions`,
    );
  },
);

async function read(address: string): Promise<string> {
  const answer = await fetch(address);
  const text = await answer.text();
  if (answer.ok && !/\{\{\w+\}\}/.test(text)) return text;
  throw new Error(`${address} answers ${answer.status}:\n${text}`);
}
