// The models: found by search and filters, sorted and compared by addresses that survive a reload, also when signed out.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, memberTest, signInBrowser } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { joinAs } from "./member.fixture.ts";
import { showFigures } from "./show-figures.fixture.ts";
import { showStatus } from "./show-status.fixture.ts";

const rows = (page: Page) => page.getByRole("table").first().locator("tbody tr");
const search = (page: Page) =>
  page.getByRole("searchbox", { name: "Search by name, id or provider" });

/** Waits until the list has this many rows. */
async function waitForRows(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll("main table tbody tr").length === wanted,
    count,
  );
}

browserTest(
  "MOD-1 search words and two filters narrow the list and survive a reload",
  async (one) => {
    const { page, goTo } = one;
    await goTo("/models");
    await rows(page).first().waitFor();
    const all = await rows(page).count();
    expect(all).toBeGreaterThan(3);
    await search(page).fill("northwind");
    await waitForRows(page, 2);
    await page.getByRole("button", { name: "Tools", exact: true }).click();
    await waitForRows(page, 1);
    await page.getByRole("combobox", { name: "Provider" }).selectOption("northwind");
    const address = page.url();
    await page.reload();
    await waitForRows(page, 1);
    expect(await rows(page).first().textContent()).toContain(models.large);
    expect(await search(page).inputValue()).toBe("northwind");
    expect(page.url()).toBe(address);
  },
);

browserTest("MOD-3 models and prices are public", async ({ page, goTo }) => {
  await goTo("/models");
  await rows(page).filter({ hasText: models.gamma }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "Gamma" }).waitFor();
  await page.getByText("$3.20 / 1M").first().waitFor();
  await page.getByRole("link", { name: "Sign in" }).waitFor();
});

browserTest("MOD-4 if nothing matches, the filters can be cleared", async ({ page, goTo }) => {
  await goTo("/models?q=no-such-model");
  await page.getByText("No models match.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await rows(page).filter({ hasText: models.large }).waitFor();
  expect(await search(page).inputValue()).toBe("");
});

const sortedBy = (page: Page) =>
  page.locator(`th[aria-sort="ascending"], th[aria-sort="descending"]`);

/** Ids of the catalog's models in the order of the rows. */
async function readOrder(page: Page): Promise<readonly string[]> {
  const texts = await rows(page).allTextContents();
  const known = Object.values(models);
  return texts.flatMap((text) => known.find((id) => text.includes(id)) ?? []);
}

browserTest(
  "MOD-5 the list sorts by price, context and measured figures, the best first, as its address says",
  async ({ page, goTo }) => {
    await showFigures(page);
    await goTo("/models?q=a");
    await rows(page).first().waitFor();
    const orders = {
      Input: [models.mini, models.gamma, models.large],
      Context: [models.large, models.mini, models.gamma],
      "First token": [models.mini, models.large, models.gamma],
      Speed: [models.mini, models.large, models.gamma],
      Availability: [models.large, models.mini, models.gamma],
    };
    for (const [title, order] of Object.entries(orders)) {
      await page.getByRole("columnheader", { name: title }).getByRole("button").click();
      await sortedBy(page).filter({ hasText: title }).waitFor();
      expect({ title, order: await readOrder(page) }).toEqual({ title, order });
    }
    const header = page.getByRole("columnheader", { name: "Availability" });
    expect(await header.getAttribute("aria-sort")).toBe("descending");
    await header.getByRole("button").click();
    await page.locator(`th[aria-sort="ascending"]`).waitFor();
    // A model without figures stays last.
    const reversed = [models.mini, models.large, models.gamma];
    expect(await readOrder(page)).toEqual(reversed);
    await page.reload();
    await rows(page).first().waitFor();
    expect(await readOrder(page)).toEqual(reversed);
  },
);

browserTest("MOD-13 at 1280 px the list fits its box, with its boxes to compare", async (one) => {
  const { page, goTo, environment } = one;
  await page.setViewportSize({ width: 1280, height: 800 });
  const measured = { firstTokenMs: 12_640, tokensPerSecond: 1_262.4, monthAvailability: 0.9987 };
  await page.route(/\/trpc\/[^?]*models\.list/, async (route) => {
    const answer = await route.fetch();
    const parts: { result?: { data: unknown } }[] = await answer.json();
    for (const { result } of parts) {
      if (!result || !Array.isArray(result.data)) continue;
      // As long and as measured as those of the catalog that operators begin with.
      result.data = result.data.map((model) => ({
        ...model,
        name: `${model.name} 235B Instruct 2507`,
        figures: { ...measured, recentAvailability: 0.9991 },
        capabilities: ["tools", "json_schema", "reasoning", "vision"],
      }));
    }
    await route.fulfill({ response: answer, json: parts });
  });
  const fits = async () => {
    const table = page.getByRole("group", { name: /^Models: prices/ });
    await table
      .getByText(/235B Instruct 2507/)
      .first()
      .waitFor();
    const place = await table.evaluate((box) => {
      const ends = [...box.querySelectorAll("input[type=checkbox]")].map(
        (tick) => tick.getBoundingClientRect().right,
      );
      return { scrolls: "scrolls" in box.dataset, over: box.scrollWidth - box.clientWidth, ends };
    });
    expect(place.scrolls).toBe(false);
    expect(place.over).toBe(0);
    expect(Math.max(...place.ends)).toBeLessThan(1280);
  };
  await goTo("/models");
  await fits();
  await signInBrowser(one, await joinAs(environment));
  await goTo("/models");
  await fits();
});

browserTest("MOD-6 on a desktop each model is a line of 40 px", async ({ page, goTo }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await showFigures(page);
  await goTo("/models");
  await rows(page).first().waitFor();
  const heights = await rows(page).evaluateAll((all) =>
    all.map((row) => row.getBoundingClientRect().height),
  );
  expect(new Set(heights)).toEqual(new Set([40]));
});

const compared = (page: Page) =>
  page.getByRole("table", { name: "The selected models side by side" });

browserTest(
  "MOD-7 selected models are compared on a page of their own, whose address others can open",
  async ({ page, goTo }) => {
    await showFigures(page);
    await goTo("/models");
    await page.getByRole("checkbox", { name: "Compare Beta Mini" }).check();
    await page.getByText("Select another to compare.").waitFor();
    await page.getByRole("checkbox", { name: "Compare Alpha Large" }).check();
    await page.getByRole("link", { name: "Compare side by side" }).click();
    await compared(page).waitFor();
    const address = new URL(page.url());
    expect(address.pathname + address.search).toBe(
      `/models/compare?ids=${models.mini},${models.large}`,
    );
    const valuesOf = (title: string) =>
      compared(page)
        .getByRole("row", { name: new RegExp(`^${title} `) })
        .getByRole("cell")
        .allTextContents();
    expect(await valuesOf("First token, median")).toEqual(["210 ms", "640 ms"]);
    expect(await valuesOf("Lab")).toEqual(["northwind", "northwind"]);

    await page.getByRole("combobox", { name: "Add a model" }).selectOption(models.gamma);
    await compared(page).getByRole("link", { name: "Gamma" }).waitFor();
    expect(await valuesOf("Availability in 30 days")).toEqual(["96.4%", "99.9%", "—"]);
    await page.getByRole("button", { name: "Remove Beta Mini" }).click();
    await page.waitForURL(`**/models/compare?ids=${models.large},${models.gamma}`);
    await page.goBack();
    await compared(page).getByRole("link", { name: "Beta Mini" }).waitFor();
    await page.getByRole("link", { name: "All models" }).click();
    await page.getByText("3 models selected").waitFor();
  },
);

browserTest(
  "MOD-8 a comparison without models, or with some that are not offered, says so",
  async ({ page, goTo }) => {
    await goTo("/models/compare");
    await page.getByText("No models selected.").waitFor();
    await goTo(`/models/compare?ids=${models.gamma},acme/gone`);
    await page.getByText("Not offered here: acme/gone").waitFor();
    expect(await compared(page).getByRole("link").allTextContents()).toEqual(["Gamma"]);
  },
);

memberTest(
  "MOD-9 the curl on a model's page is answered by each API as it is pasted",
  async ({ page, goTo, member }) => {
    const { key } = await member.createKey("caller");
    await goTo(`/models/${models.mini}`);
    const answers = { "Chat completions": "choices", Responses: "output", Messages: "content" };
    for (const [name, field] of Object.entries(answers)) {
      await page.getByRole("combobox", { name: "API" }).selectOption(name);
      const code = (await page.getByRole("group", { name: "curl" }).textContent()) ?? "";
      const [, url = "", body = ""] = /^curl (\S+) [\s\S]*-d '([\s\S]*)'$/.exec(code) ?? [];
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const answer = await fetch(url, { method: "POST", headers, body });
      const read: unknown = await answer.json();
      expect({ name, status: answer.status }).toEqual({ name, status: 200 });
      expect(read).toHaveProperty(field);
    }
  },
  { usd: "10" },
);

browserTest(
  "MOD-10 on a phone the prices of every service tier can be scrolled into view",
  async ({ page, goTo }) => {
    const width = 390;
    await page.setViewportSize({ width, height: 844 });
    const prices = { inputUsd: "5", cachedInputUsd: "2.5", cacheWriteUsd: "5", outputUsd: "15" };
    await showFigures(page, {
      longPrompts: [{ aboveTokens: 200_000, prices }],
      serviceTiers: ["flex", "scale", "priority"].map((name) => ({ name, prices })),
    });
    await goTo(`/models/${models.large}`);
    const last = page.getByRole("columnheader", { name: "Priority" });
    await last.scrollIntoViewIfNeeded();
    const box = await last.boundingBox();
    if (box === null) throw new Error("The column is not shown.");
    expect(box.x + box.width).toBeLessThanOrEqual(width);
  },
);

browserTest("MOD-11 a model shows its last ninety days, if it was called", async (one) => {
  const { page, visit, goTo } = one;
  await showFigures(page);
  await showStatus(page, models.large);
  await goTo(`/models/${models.large}`);
  await page.getByRole("img", { name: /99\.9% of requests answered in 90 days/ }).waitFor();
  await page.getByText("First token 420 ms on the last day with streams.").first().waitFor();
  await visit(`/models/${models.gamma}`);
  expect(await page.getByText("Last 90 days").count()).toBe(0);
});

browserTest(
  "MOD-12 on a phone a model is three lines: its prices, its context, and what the list is sorted by",
  async ({ page, goTo }) => {
    await showFigures(page);
    const card = page.getByRole("listitem").filter({ hasText: models.large });
    const facts = async () => ({
      titles: await card.getByRole("term").allTextContents(),
      values: await card.getByRole("definition").allTextContents(),
    });
    await goTo("/models");
    await card.getByRole("link", { name: "Alpha Large" }).waitFor();
    const titles = ["Context", "Input", "Output"];
    const values = ["256K", "$2.00", "$8.00"];
    expect(await facts()).toEqual({ titles, values });
    expect((await card.boundingBox())?.height).toBeLessThanOrEqual(110);
    await page.getByRole("combobox", { name: "Sort" }).selectOption("First token");
    await card.getByText("640 ms").waitFor();
    expect(await facts()).toEqual({
      titles: [...titles, "First token"],
      values: [...values, "640 ms"],
    });
  },
  { width: 390 },
);
