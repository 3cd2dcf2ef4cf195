// Logs: every request, its outcome, and its cost to the last digit.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { historyTest, memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { costOf, nanosOf, usdOf } from "./expected-cost.fixture.ts";
import {
  chargedLine,
  readCsv,
  readDownload,
  readExact,
  requestSheet,
} from "./read-page.fixture.ts";
import { useSeededAccount } from "./seed-history.fixture.ts";

const list = (page: Page) => page.getByRole("table", { name: "Requests, newest first" });

historyTest("LOG-1 the list makes one data request", async ({ page, goTo }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/trpc/")) asked.push(...pathname.slice(6).split(","));
  });
  await goTo("/logs");
  await list(page).waitFor();
  await page.waitForLoadState("networkidle");
  expect(asked.filter((name) => name.startsWith("logs."))).toEqual(["logs.list"]);
});

memberTest(
  "LOG-2 MOD-2 detail, row, ledger and the price of the model agree on the cost",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("exact");
    const content = '#script {"deltas":321,"cachedTokens":7}';
    const { body } = await askChat(environment, key, { model: models.large, content });
    const cost = costOf(models.large, body.usage);
    await goTo("/logs");
    const cell = list(page).locator("tbody td", { hasText: "$" }).locator("span").first();
    expect(nanosOf(await readExact(cell))).toBe(cost);
    await list(page).locator("tbody a").first().click();
    await chargedLine(page).waitFor();
    expect(nanosOf((await chargedLine(page).textContent()) ?? "")).toBe(cost);
    const lines = await requestSheet(page)
      .locator("dd.figures:not([data-charged])")
      .allTextContents();
    const amounts = lines.filter((text) => /^\$[\d.]+$/.test(text.trim()));
    expect(amounts.map(nanosOf).reduce((sum, part) => sum + part, 0n)).toBe(cost);

    await goTo("/wallet");
    const file = await readDownload(page, page.getByRole("button", { name: "Download CSV" }));
    expect(readCsv(file).at(-1)?.amount_usd).toBe(`-${usdOf(cost)}`);

    await goTo(`/models/${models.large}`);
    const prices = page.locator("main section", { hasText: "Prices" }).first();
    await prices.getByText("$2.00 / 1M").first().waitFor();
    await prices.getByText("$0.50 / 1M").waitFor();
    await prices.getByText("$8.00 / 1M").waitFor();
  },
  { usd: "10" },
);

historyTest("LOG-3 a failed request says why, and that it cost nothing", async (one) => {
  const { page, goTo, history } = one;
  await goTo("/logs?status=5xx");
  const row = list(page).locator("tbody tr").first();
  await row.getByText("502").waitFor();
  await row.getByText("—", { exact: true }).first().waitFor();
  await goTo(`/logs?id=${history.failedRequest}`);
  await requestSheet(page).getByText("What went wrong").waitFor();
  await requestSheet(page).getByText("Status 502, bad_gateway").waitFor();
  await requestSheet(page).getByText("Nothing was charged.").waitFor();
  expect(await chargedLine(page).textContent()).toBe("$0.00");
});

historyTest("LOG-4 a link to one request opens it", async ({ page, goTo, history }) => {
  await goTo(`/logs?id=${history.goodRequest}`);
  await requestSheet(page).getByText(history.goodRequest).waitFor();
  await page.keyboard.press("Escape");
  await requestSheet(page).waitFor({ state: "detached" });
  expect(new URL(page.url()).searchParams.get("id")).toBeNull();
  await list(page).waitFor();
});

memberTest(
  "the requests of one app and one of its users are found by a filter, and by the menu of a request",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("shared");
    const title = "Notes, v2";
    const calls = [
      { app: title, user: "ada" },
      { app: title, user: "bob" },
      { app: "Mail", user: "ada" },
    ];
    for (const { app, user } of calls) {
      await askChat(environment, key, { model: models.mini, user }, { "x-title": app });
    }
    await goTo("/logs");
    const rows = list(page).locator("tbody tr");
    const expectRows = (count: number) =>
      page.waitForFunction(
        (wanted) => document.querySelectorAll("table tbody tr").length === wanted,
        count,
      );
    await rows.first().waitFor();
    await expectRows(3);
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByRole("textbox", { name: "App" }).fill(title);
    await page.keyboard.press("Enter");
    await expectRows(2);
    await page.getByRole("textbox", { name: "User" }).fill("ada");
    await page.keyboard.press("Enter");
    await expectRows(1);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      app: title,
      user: "ada",
    });

    await goTo("/logs?app=Mail");
    await expectRows(1);
    await rows.first().locator("a").first().click();
    const sheet = requestSheet(page);
    await sheet.getByText("Mail", { exact: true }).waitFor();
    await sheet.getByText("ada", { exact: true }).waitFor();
    await sheet.getByRole("button", { name: "Filter by…" }).click();
    await page.getByRole("menuitem", { name: "User: ada" }).click();
    await sheet.waitFor({ state: "detached" });
    // The menu adds to the filters that are there.
    expect(new URL(page.url()).search).toBe("?app=Mail&user=ada");
    await goTo("/logs?user=ada");
    await expectRows(2);
  },
  { usd: "5" },
);

historyTest(
  "streams and canceled requests leave the menus of all rows in view on a laptop",
  async ({ page, visit }) => {
    await visit("/logs");
    const table = page.getByRole("table", { name: "Requests" });
    await table.getByText("Canceled").waitFor();
    await table.getByText("stream").first().waitFor();
    // Wider than its place, it would scroll by itself.
    expect(await table.locator("xpath=ancestor::*[@data-scrolls]").count()).toBe(0);
  },
  { width: 1240 },
);

memberTest(
  "LOG-5 a request of another account is not found",
  async ({ page, goTo, environment }) => {
    const { history } = await useSeededAccount(environment);
    await goTo(`/logs?id=${history.goodRequest}`);
    await requestSheet(page).getByText("Request not found.", { exact: false }).waitFor();
    expect(await page.getByText(models.gamma).count()).toBe(0);
  },
);
