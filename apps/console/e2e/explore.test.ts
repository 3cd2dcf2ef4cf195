// Usage by two dimensions, at the address where it was a page of its own: its numbers agree with the cards and lead to
// their requests in Logs.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { historyTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { nanosOf, sumOf } from "./expected-cost.fixture.ts";
import { readCsv, readDownload, readExact, readTable, spendCard } from "./read-page.fixture.ts";

const table = (page: Page, name: string) => page.getByRole("table", { name, exact: true });
const logs = (page: Page) => page.getByRole("table", { name: "Requests" });
const choose = (page: Page, name: string, label: string) =>
  page.getByRole("combobox", { name, exact: true }).selectOption({ label });

historyTest(
  "EXP-1 rows, columns and file of two dimensions add up to the card",
  async ({ page, goTo }) => {
    await goTo("/usage");
    const spent = await readExact(spendCard(page));
    await goTo("/explore?rows=key&columns=model");
    const found = table(page, "Spend by key and model");
    await found.waitFor();
    const rows = await readTable(found);
    expect(rows.map((row) => row.Key)).toEqual(["production", "ci"]);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const file = await readCsv(
      await readDownload(page, page.getByRole("menuitem", { name: "CSV of the measure" })),
    );
    expect(sumOf(file.map((row) => row.total_spend ?? ""))).toBe(nanosOf(spent));
    const cells = file.flatMap((row) => Object.values(models).map((id) => row[id] ?? "0"));
    expect(sumOf(cells)).toBe(nanosOf(spent));
    expect(new URL(page.url()).pathname).toBe("/usage");
    expect(await readExact(spendCard(page))).toBe(spent);
  },
);

historyTest("EXP-2 a number leads to exactly its requests", async ({ page, goTo }) => {
  await goTo("/explore?measure=requests&rows=key&columns=model");
  const found = table(page, "Requests by key and model");
  await found.waitFor();
  const [production] = await readTable(found);
  const count = Number(production?.[models.large]);
  expect(count).toBeGreaterThan(1);
  const place = (await found.getByRole("columnheader").allTextContents()).indexOf(models.large);
  await found.locator("tbody tr").first().locator("th, td").nth(place).getByRole("link").click();
  await page.waitForURL(/\/logs\?/);
  await logs(page).waitFor();
  const shown = await readTable(logs(page));
  expect(shown).toHaveLength(count);
  expect(new Set(shown.map((row) => row.Model))).toEqual(new Set([models.large]));
});

historyTest("EXP-2 what was sent without an app leads to exactly these", async (one) => {
  const { page, goTo } = one;
  await goTo("/explore?measure=requests&rows=app");
  const found = table(page, "Requests by app");
  await found.waitFor();
  const [none] = (await readTable(found)).filter((row) => row.App === "(none)");
  const count = Number(none?.Requests);
  expect(count).toBeGreaterThan(1);
  await found.getByRole("link", { name: "(none)" }).click();
  await page.waitForURL(/\/logs\?.*without=app/);
  await page.getByRole("checkbox", { name: "Without an app", checked: true }).waitFor();
  await logs(page).waitFor();
  expect(await logs(page).locator("tbody tr").count()).toBe(Math.min(count, 50));
});

historyTest("EXP-3 measure and dimensions are in the address", async ({ page, goTo }) => {
  await goTo("/explore");
  await table(page, "Usage by model").waitFor();
  await page.getByRole("tab", { name: "Errors" }).click();
  await choose(page, "Measure", "Error rate");
  await choose(page, "Group by", "By status");
  await choose(page, "Columns", "and by key");
  const found = table(page, "Error rate by status and key");
  await found.waitFor();
  expect(new URL(page.url()).search).toBe("?measure=errorRate&rows=status&columns=key");
  await page.reload();
  await found.waitFor();
  const rows = await readTable(found);
  expect(rows.find((row) => row.Status === "Failed (5xx)")?.Total).toBe("100.0%");
  expect(rows.find((row) => row.Status === "Succeeded")?.Total).toBe("0.0%");
  await choose(page, "Group by", "By key");
  await table(page, "Error rate by key and status").waitFor();
});

historyTest("EXP-4 a part of the chart leads to its requests", async ({ page, goTo }) => {
  await goTo("/explore?range=24h");
  const plot = page.getByRole("application", { name: /^Spend, USD per hour/ });
  await plot.waitFor();
  await plot.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  const selected = page.getByRole("status").filter({ hasText: "Selected" });
  await selected.getByRole("link", { name: "View logs" }).click();
  await page.waitForURL(/\/logs\?from=/);
  const { search } = new URL(page.url());
  const [fromMs = 0, toMs = 0] = search.split("&").map((part) => {
    return Date.parse(decodeURIComponent(part.replace(/^.*?=/, "")));
  });
  expect(toMs - fromMs).toBe(3_600_000);
  await page.goBack();
  await plot.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await selected.getByRole("button", { name: "Narrow to it" }).click();
  await page.waitForURL(/\/usage\?from=/);
});

historyTest("EXP-5 a view is saved by name, opened, and removed", async ({ page, goTo }) => {
  await goTo("/explore?measure=requests&rows=status");
  await table(page, "Usage by status").waitFor();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this view…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Outcomes");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByText("Saved the view Outcomes").waitFor();
  await goTo("/explore");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Outcomes" }).click();
  await table(page, "Usage by status").waitFor();
  await page.getByRole("button", { name: "Outcomes" }).click();
  await page.getByRole("menuitem", { name: "Remove the view Outcomes" }).click();
  await page.getByRole("button", { name: "Views" }).click();
  expect(await page.getByRole("menuitem", { name: "Outcomes" }).count()).toBe(0);
});

historyTest("EXP-6 spend says what the month will have cost", async ({ page, goTo }) => {
  await goTo("/explore");
  const forecast = page.locator("[data-forecast]");
  await forecast.waitFor();
  expect(await forecast.textContent()).toMatch(
    /^This month: \$[\d.]+ so far\. About \$[\d.]+ by \w+ \d+ at the pace of the last (?:day|\d days)\.$/,
  );
  await choose(page, "Measure", "Requests");
  await forecast.waitFor({ state: "detached" });
});
