// The models: found by search and filters that survive a reload, also when signed out.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";

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
