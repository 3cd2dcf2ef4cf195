// The docs in a browser: copying, searching, the API reference with a real key, and the files for programs. That the
// samples run is tested in apps/server/test/docs.
import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import { browserTest, memberTest } from "./browser-test.fixture.ts";

/** The names of the pages, as /llms.txt lists them. */
async function everyPage(url: string): Promise<readonly string[]> {
  const list = await read(`${url}/llms.txt`);
  const names = [...list.matchAll(/\/docs\/([\w-]+)\.md\)/g)].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(30);
  return names;
}

browserTest("DOC-2 the copied text is the code, without prompt signs", async (one) => {
  const { page, goTo, follow, environment } = one;
  let copied = 0;
  await goTo("/docs");
  for (const name of await everyPage(environment.url)) {
    await follow(`/docs/${name}`);
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
      await page.getByText("There's no page at this address.").waitFor();
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
    const names = await everyPage(environment.url);
    expect(links.pop()).toBe(`${environment.url}/openapi.json`);
    expect(links).toHaveLength(names.length);
    for (const link of links) expect(await read(link)).toStartWith("# ");
    expect(await read(`${environment.url}/docs/errors.md`)).toContain("insufficient_quota");
    expect((await fetch(`${environment.url}/docs/no-such-page.md`)).status).toBe(404);
    const sitemap = await read(`${environment.url}/sitemap.xml`);
    const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, href]) => href ?? "");
    expect(pages.length).toBeGreaterThan(names.length + 4);
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

browserTest("the search finds guides and endpoints, and leads to their section", async (one) => {
  const { page, goTo, environment } = one;
  await goTo("/docs");
  await page.getByRole("heading", { name: "Three steps" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("cache-ttl");
  const results = page.getByRole("list", { name: "Search results" });
  await results.getByRole("link", { name: /Response cache/ }).click();
  await page.waitForURL(`${environment.url}/docs/caching#response-cache`);
  await page.getByRole("heading", { name: "Response cache" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("management/budgets");
  await results.getByRole("link", { name: /GET \/v1\/management\/budgets/ }).click();
  await page.waitForURL(/\/docs\/reference#get-management-budgets$/);
  await page.locator("#get-management-budgets[open]").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("no such words anywhere");
  await page.getByText("Nothing found.").waitFor();
});

memberTest(
  "the API reference sends a request with the key that was typed, and shows the response",
  async ({ page, goTo, member }) => {
    const { key } = await member.createKey("reference");
    await goTo("/docs/reference#post-chat-completions");
    const operation = page.locator("#post-chat-completions");
    await operation.getByRole("tab", { name: "Try it" }).click();
    await operation.getByText("Needs your API key").waitFor();
    await operation.getByRole("button", { name: "Send request" }).click();
    await operation.getByText(/^401 after/).waitFor();
    await page.getByLabel("Your key", { exact: true }).fill(key);
    await operation.getByRole("button", { name: "Send request" }).click();
    await operation.getByText(/^200 after/).waitFor();
    expect(await operation.getByRole("group", { name: "Response" }).textContent()).toContain(
      '"object": "chat.completion"',
    );
    await page.locator("#get-key > summary").click();
    const other = page.locator("#get-key");
    await other.getByRole("tab", { name: "Try it" }).click();
    await other.getByRole("button", { name: "Send request" }).click();
    await other.getByText(/^200 after/).waitFor();
    expect(await other.textContent()).not.toContain(key);
  },
  { usd: "5" },
);

memberTest(
  "the API reference says what each field of a request and a response is for",
  async ({ page, goTo }) => {
    await goTo("/docs/reference#post-chat-completions");
    const operation = page.locator("#post-chat-completions");
    const request = operation.getByRole("list", { name: "Request of Create a chat completion" });
    await request.getByText(/Most tokens of one answer, reasoning included/).waitFor();
    await request.locator("summary", { hasText: "Fields of messages" }).click();
    const messages = operation.getByRole("list", { name: "Fields of messages" });
    await messages.locator("summary", { hasText: "Fields of tool" }).click();
    await messages.getByText("Id of the call this answers.").waitFor();
    await operation.getByRole("tab", { name: "Response" }).click();
    await operation.getByText("Tokens and cost of the request.").waitFor();
    await operation.getByRole("tab", { name: "Stream" }).click();
    const stream = operation.getByRole("list", { name: "Stream of Create a chat completion" });
    await stream.getByText("The next piece of each answer", { exact: false }).waitFor();
  },
);
