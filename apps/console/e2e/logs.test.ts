// Logs: every request, what became of it, and its cost to the last digit.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.ts";
import { costOf, nanosOf, usdOf } from "./bill.ts";
import { models } from "./catalog.ts";
import { useRegular } from "./fill-account.ts";
import { memberJourney, regularJourney } from "./journey.ts";
import { chargedLine, readCsv, readDownload, readExact, requestSheet } from "./read-page.ts";

const list = (page: Page) => page.getByRole("table", { name: "Requests, newest first" });

regularJourney("LOG-1 the list asks for its data once", async ({ page, goTo }) => {
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

memberJourney(
  "LOG-2 MOD-2 detail, row, ledger and the price of the model agree on the cost",
  async ({ page, goTo, member, stage }) => {
    const { key } = await member.createKey("exact");
    const content = '#script {"deltas":321,"cachedTokens":7}';
    const { body } = await askChat(stage, key, { model: models.large, content });
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

regularJourney("LOG-3 a failed request says why, and that it cost nothing", async (one) => {
  const { page, goTo, past } = one;
  await goTo("/logs?status=5xx");
  const row = list(page).locator("tbody tr").first();
  await row.getByText("502").waitFor();
  await row.getByText("$0.00").waitFor();
  await goTo(`/logs?id=${past.failedRequest}`);
  await requestSheet(page).getByText("What went wrong").waitFor();
  await requestSheet(page).getByText("Status 502, bad_gateway").waitFor();
  await requestSheet(page).getByText("Nothing was charged.").waitFor();
  expect(await chargedLine(page).textContent()).toBe("$0.00");
});

regularJourney("LOG-4 a link to one request opens it", async ({ page, goTo, past }) => {
  await goTo(`/logs?id=${past.goodRequest}`);
  await requestSheet(page).getByText(past.goodRequest).waitFor();
  await page.keyboard.press("Escape");
  await requestSheet(page).waitFor({ state: "detached" });
  expect(new URL(page.url()).searchParams.get("id")).toBeNull();
  await list(page).waitFor();
});

memberJourney("LOG-5 a request of somebody else is not found", async ({ page, goTo, stage }) => {
  const { past } = await useRegular(stage);
  await goTo(`/logs?id=${past.goodRequest}`);
  await requestSheet(page).getByText("We couldn't find it.", { exact: false }).waitFor();
  expect(await page.getByText(models.gamma).count()).toBe(0);
});
