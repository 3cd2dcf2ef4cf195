// Usage: one response feeds cards, chart, table and file, so that they cannot disagree.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { historyTest, memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { nanosOf, sumOf } from "./expected-cost.fixture.ts";
import { readCsv, readDownload, readExact, readTable, spendCard } from "./read-page.fixture.ts";

const breakdown = (page: Page) => page.getByRole("table", { name: /^Usage by/ });
const requestsCard = (page: Page) =>
  page
    .locator("main .relative")
    .filter({ hasText: /^Requests/ })
    .locator(".figures")
    .first();
const chart = (page: Page) => page.getByRole("group", { name: /^Spend, USD per/ });

/** Opens the chart's numbers. */
async function readChartTable(page: Page) {
  await chart(page).getByRole("button", { name: "View as table" }).click();
  const table = chart(page).getByRole("table");
  await table.waitFor();
  const total = table.locator("tfoot td").first().locator("span").first();
  return { rows: await readTable(table), total: await readExact(total) };
}

async function exportCsv(page: Page) {
  await page.getByRole("button", { name: "Export" }).click();
  return readCsv(await readDownload(page, page.getByRole("menuitem", { name: "CSV over time" })));
}

historyTest("USG-1 a filter updates address, cards, chart and table together", async (one) => {
  const { page, goTo } = one;
  await goTo("/usage");
  await breakdown(page).waitFor();
  const before = await readTable(breakdown(page));
  expect(before.length).toBeGreaterThan(2);
  await page.getByRole("button", { name: "Models", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: models.large }).click();
  await page.keyboard.press("Escape");
  await page.waitForURL(/models=northwind(%2F|\/)alpha-large/);
  const only = breakdown(page).getByRole("row");
  await page.waitForFunction(() => document.querySelectorAll("main table tbody tr").length === 1);
  expect(await only.count()).toBe(2);
  const [row] = await readTable(breakdown(page));
  expect(row?.Model).toBe(models.large);
  const spend = await readExact(spendCard(page));
  expect((await requestsCard(page).textContent())?.trim()).toBe(String(row?.Requests));
  expect((await spendCard(page).textContent())?.trim()).toBe(String(row?.Spend));
  const table = await readChartTable(page);
  expect(nanosOf(table.total)).toBe(nanosOf(spend));
});

historyTest("USG-2 reload and Back restore the view", async ({ page, goTo }) => {
  await goTo("/usage");
  await breakdown(page).waitFor();
  await page.getByRole("combobox", { name: "Group by" }).selectOption({ label: "By key" });
  await page.getByRole("table", { name: "Usage by key" }).waitFor();
  await page.getByRole("combobox", { name: "Range" }).selectOption({ label: "Last 30 days" });
  await page.waitForURL(/range=30d/);
  const address = page.url();
  await page.reload();
  const byKey = page.getByRole("table", { name: "Usage by key" });
  await byKey.waitFor();
  const rows = await readTable(byKey);
  expect(rows.map((row) => row.Key)).toEqual(["production", "ci"]);
  const range = page.getByRole("combobox", { name: "Range" }).locator("option:checked");
  expect(await range.textContent()).toBe("Last 30 days");
  await byKey.getByRole("link", { name: "ci" }).click();
  await page.waitForURL(/\/logs\?/);
  await page.goBack();
  await byKey.waitFor();
  expect(page.url()).toBe(address);
  expect(await readTable(byKey)).toEqual([...rows]);
  expect(await range.textContent()).toBe("Last 30 days");
});

historyTest(
  "USG-3 rows, card, file and ledger have the same total",
  async ({ page, goTo, member }) => {
    await goTo("/usage?range=30d");
    await breakdown(page).waitFor();
    const card = await readExact(spendCard(page));
    const file = await exportCsv(page);
    const amounts = file.map((row) => row.cost_usd ?? "");
    expect(sumOf(amounts)).toBe(nanosOf(card));
    const cells = breakdown(page).locator("tbody tr td:nth-child(2) > span");
    const rows: string[] = [];
    for (const cell of await cells.all()) rows.push(await readExact(cell));
    expect(sumOf(rows)).toBe(nanosOf(card));
    const { balanceUsd } = await member.query("wallet.summary");
    expect(nanosOf("25") - nanosOf(String(balanceUsd))).toBe(nanosOf(card));
  },
);

memberTest(
  "USG-4 a request is counted on its day in the reader's time zone",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("traveler");
    await askChat(environment, key, { model: models.mini });
    // UTC+13 in November, and UTC−8.
    for (const timeZone of ["Pacific/Auckland", "America/Los_Angeles"]) {
      await member.mutate("profile.update", { timeZone });
      await goTo("/usage");
      const { rows } = await readChartTable(page);
      await page.getByText(`Times in ${timeZone}`).waitFor();
      // The table prints all amounts with the same number of decimals.
      const busy = rows.filter((row) => nanosOf(row.Total ?? "") !== 0n);
      const style = { day: "numeric", month: "short", timeZone } as const;
      const today = new Intl.DateTimeFormat("en-US", style).format(new Date());
      expect(busy).toHaveLength(1);
      expect(busy[0]?.From).toContain(today);
      // Regardless of the current time, a day begins at midnight there.
      const [row] = (await exportCsv(page)).filter(({ requests }) => requests === "1");
      const time = { timeStyle: "medium", hourCycle: "h23", timeZone } as const;
      const begins = new Intl.DateTimeFormat("en-GB", time).format(new Date(row?.from ?? ""));
      expect(begins).toBe("00:00:00");
    }
  },
  { usd: "10" },
);

historyTest("CHT-1 the keyboard reads every bucket", async ({ page, goTo }) => {
  await goTo("/usage");
  const plot = chart(page).getByRole("application");
  await plot.waitFor();
  await plot.focus();
  const said: string[] = [];
  await page.keyboard.press("Home");
  for (let bucket = 0; bucket < 7; bucket += 1) {
    said.push((await plot.locator("[data-announced]").textContent()) ?? "");
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Escape");
  const { rows } = await readChartTable(page);
  expect(said).toHaveLength(rows.length);
  const days = rows.toReversed();
  for (const [at, words] of said.entries()) {
    expect(words).toContain((days[at]?.From ?? "?").replace(/ \(.*$/, ""));
    // The table has the exact amount; the announced amount is rounded as on the screen.
    const amounts = words.match(/(?<=\$)[\d.]+/g) ?? [];
    const exact = Number((days[at]?.Total ?? "?").replace("$", ""));
    const rounded = amounts.map((amount) => exact.toFixed(amount.split(".")[1]?.length ?? 0));
    expect(rounded[0]).toBe(amounts[0] ?? "?");
  }
  // Of the last bucket nothing, if it has just begun.
  expect(said.join("\n")).toContain(models.large);
});

historyTest("CHT-2 the table's totals are the card's", async ({ page, goTo }) => {
  await goTo("/usage?range=30d");
  await breakdown(page).waitFor();
  const card = await readExact(spendCard(page));
  // The table prints all amounts with the same number of decimals.
  expect(nanosOf((await readChartTable(page)).total)).toBe(nanosOf(card));
});

historyTest("CHT-3 switching the theme recolors without a reload", async ({ page, goTo }) => {
  await goTo("/usage");
  const fill = chart(page).locator("[data-fill]").first();
  await fill.waitFor();
  const color = () => fill.evaluate((element) => getComputedStyle(element).fill);
  const light = await color();
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  await page.getByRole("button", { name: "Account", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  expect(await color()).not.toBe(light);
  expect(await page.evaluate(() => "stayed" in window)).toBe(true);
});
