// The landing page: what it shows is computed from the models of this instance, without an account.

import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browserTest } from "./browser-test.fixture.ts";
import { models, nanosPerToken } from "./catalog.fixture.ts";

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));

browserTest(
  "LND-1 one word changes the model of the first request, and its cost is traced to its lines",
  async ({ page, goTo }) => {
    await goTo("/");
    const code = page.getByRole("tabpanel").first();
    await code.getByText(models.large).waitFor();
    const cost = page.getByRole("table", { name: "What a request of this size costs" });
    expect(await cost.getByRole("row").allTextContents()).toEqual([
      "Input1,200 × $2.00 / 1M$0.0024",
      "Output300 × $8.00 / 1M$0.0024",
      "You pay$0.0048",
    ]);
    await page.getByRole("button", { name: models.mini }).click();
    await code.getByText(models.mini).waitFor();
    await cost.getByText("$0.00024", { exact: true }).waitFor();
  },
);

browserTest(
  "LND-2 people who switch see the lines to change and what their models cost here",
  async ({ page, goTo }) => {
    await goTo("/");
    await page.getByRole("tab", { name: "OpenRouter" }).click();
    await page.getByText("https://openrouter.ai/api/v1").waitFor();
    await page.getByLabel("Paste the IDs of the models you use").fill("alpha-large, no/such");
    const found = page.getByRole("listitem").filter({ has: page.getByRole("link") });
    await found.getByText("$2.00 / 1M in, $8.00 / 1M out").waitFor();
    await page.getByText("not offered here").waitFor();
    await page.getByRole("link", { name: "What else differs from OpenRouter" }).click();
    await page.waitForURL("**/docs/migrate-openrouter");
  },
);

browserTest(
  "LND-3 addresses that people know from elsewhere lead to the page meant, with their query",
  async ({ page, environment }) => {
    for (const [from, to] of [
      ["/signin?next=%2Fkeys", "/login?next=%2Fkeys"],
      ["/signup", "/register"],
      ["/dashboard", "/"],
    ] as const) {
      await page.goto(`${environment.url}${from}`);
      await page.waitForURL(`${environment.url}${to}`);
    }
  },
);

browserTest(
  "LND-4 the landing page and the docs can be read without scripts, and say what they are",
  async ({ context, environment }) => {
    const readable = await context.browser()?.newContext({ javaScriptEnabled: false });
    if (readable === undefined) throw new Error("there is no browser");
    const page = await readable.newPage();
    await page.goto(`${environment.url}/`);
    await page.getByRole("heading", { level: 1, name: "One API key for every model" }).waitFor();
    const firstRequest = page.getByRole("group", { name: "curl" });
    expect(await firstRequest.isVisible()).toBe(true);
    expect(await firstRequest.textContent()).toContain(`${environment.url}/v1/chat/completions`);
    expect(await firstRequest.textContent()).toContain(models.large);
    expect(await page.content()).not.toContain("{{");
    await page.getByRole("link", { name: "Docs", exact: true }).first().click();
    await page.waitForURL("**/docs");
    await page.getByRole("link", { name: "Streaming", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "Streaming" }).waitFor();
    expect(await page.content()).not.toContain("{{");
    const canonical = page.locator('link[rel="canonical"]');
    expect(await canonical.getAttribute("href")).toBe(`${environment.url}/docs/streaming`);
    await readable.close();
  },
);

browserTest(
  "LND-5 nothing moves or flashes when the console takes over from the drawn page",
  async ({ page, goTo }) => {
    await page.addInitScript(() => {
      const moves = { sum: 0, blanks: 0 };
      Object.assign(window, { moves });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          moves.sum += "value" in entry ? Number(entry.value) : 0;
        }
      }).observe({ type: "layout-shift", buffered: true });
      const look = () => {
        if (document.readyState !== "loading" && !document.querySelector("main")?.checkVisibility())
          moves.blanks += 1;
        requestAnimationFrame(look);
      };
      look();
    });
    // What is drawn late and below the first screen moves as well.
    await page.setViewportSize({ width: 1280, height: 1600 });
    for (const [path, last] of [
      ["/", "table"],
      ["/docs/streaming", "article"],
    ] as const) {
      await goTo(path);
      await page.locator(`main ${last}`).last().waitFor();
      await page.evaluate(
        () => new Promise((done) => setTimeout(() => requestAnimationFrame(done))),
      );
      const moves = await page.evaluate(() => Reflect.get(window, "moves"));
      expect([path, moves.blanks]).toEqual([path, 0]);
      expect(moves.sum).toBeLessThan(0.05);
    }
  },
);

browserTest(
  "LND-6 a visitor's question is answered by three models, with the cost of each traced to its lines",
  async ({ page, goTo }) => {
    await goTo("/");
    await page.getByRole("heading", { name: "Ask 3 models at once" }).waitFor();
    await page.getByLabel("Your question").fill("What is a toll road?");
    await page.keyboard.press("Enter");
    const answer = page.getByRole("listitem").filter({ hasText: models.mini });
    await answer.getByText("Cost").waitFor();
    const lines = await answer.getByRole("definition").allTextContents();
    const [, , input = "", output = "", cost = ""] = lines;
    const nanos =
      Number(/^[\d,]+/.exec(input)?.[0].replace(",", "")) * nanosPerToken[models.mini].input +
      Number(/^[\d,]+/.exec(output)?.[0].replace(",", "")) * nanosPerToken[models.mini].output;
    expect(Number(cost.slice(1))).toBeCloseTo(nanos / 1e9, 9);
    await page.getByRole("listitem").filter({ hasText: models.large }).getByText("Cost").waitFor();
  },
);

browserTest(
  "LND-7 the operator's terms can be read, and are named where people sign up",
  async ({ page, goTo }) => {
    await goTo("/register");
    await page.getByText("By creating an account you accept the terms.").waitFor();
    await page.getByRole("link", { name: "terms" }).click();
    await page.getByRole("heading", { level: 1, name: "Terms" }).waitFor();
    await page.getByText("Be fair.").waitFor();
    await goTo("/legal/privacy");
    await page.getByText("There's no page at this address.").waitFor();
    await goTo("/");
    const footer = page.getByRole("navigation", { name: "Footer" });
    expect(await footer.getByRole("link").allTextContents()).toContain("Terms");
    await page.locator("footer").getByText(`Turnpike ${version}`, { exact: true }).waitFor();
  },
);

browserTest(
  "LND-8 the page can be put on a home screen: its manifest and icons are of their type and size, and kept",
  async ({ page, goTo, environment }) => {
    await goTo("/");
    const read = (address: string) =>
      page.evaluate(async (url) => {
        const { headers, status, ...answer } = await fetch(url).then(async (response) => ({
          headers: response.headers,
          status: response.status,
          bytes: [...new Uint8Array(await response.arrayBuffer())],
        }));
        const kept = headers.get("cache-control");
        return { status, type: headers.get("content-type"), kept, bytes: answer.bytes };
      }, address);
    const hrefOf = (rel: string) => page.locator(`link[rel="${rel}"]`).getAttribute("href");
    const manifest = await read((await hrefOf("manifest")) ?? "");
    expect([manifest.status, manifest.type, manifest.kept]).toEqual([
      200,
      "application/manifest+json",
      "no-cache",
    ]);
    const { name, icons } = JSON.parse(String.fromCharCode(...manifest.bytes));
    expect(name).toBe("Turnpike");
    const touch = { src: (await hrefOf("apple-touch-icon")) ?? "", sizes: "180x180" };
    for (const { src, sizes } of [...icons, touch]) {
      const { status, type, kept, bytes } = await read(environment.url + src);
      expect([status, type, kept]).toEqual([
        200,
        "image/png",
        "public, max-age=31536000, immutable",
      ]);
      const widthOf = (from: number) => Buffer.from(bytes.slice(from, from + 4)).readUInt32BE();
      expect(`${widthOf(16)}x${widthOf(20)}`).toBe(sizes);
    }
  },
);

browserTest(
  "LND-9 headline figures are a reader's own, and where others are faster is one click away",
  async ({ page, goTo }) => {
    await goTo("/");
    const section = page.locator("section").filter({ hasText: "In figures" });
    await section.getByText("3", { exact: true }).waitFor();
    await section.getByText("models of 2 labs, with one key").waitFor();
    const slower = section.getByText("Portkey's gateway on Bun: here we are slower").first();
    expect(await slower.isVisible()).toBe(false);
    await section.getByText("Compared with other gateways, also where we are slower").click();
    await slower.waitFor();
    const prices = page.getByRole("table", { name: "Models and their prices" });
    const ids = await prices.getByRole("rowheader").allTextContents();
    // One of each lab first.
    expect(ids.map((text) => /(northwind|lumen)\/[\w-]+$/.exec(text)?.[1])).toEqual([
      "northwind",
      "lumen",
      "northwind",
    ]);
  },
);

browserTest(
  "LND-10 on a phone the public pages have their navigation",
  async ({ page, goTo }) => {
    await goTo("/");
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Docs" })
      .click();
    await page.waitForURL("**/docs");
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    expect(await links.allTextContents()).toEqual(["Models", "Docs", "Status"]);
  },
  { width: 390 },
);
