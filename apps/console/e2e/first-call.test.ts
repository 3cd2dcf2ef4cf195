// The main flow: from the landing page to a paid call and its cost.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { type BrowserTest, browserTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { countActions } from "./count-actions.fixture.ts";
import { costOf, nanosOf, usdOf } from "./expected-cost.fixture.ts";
import { openKeyboard } from "./keyboard.fixture.ts";
import { linkIn, newEmail, password } from "./member.fixture.ts";
import { chargedLine, readCsv, readDownload, readExact, spendCard } from "./read-page.fixture.ts";

browserTest(
  "E2E-1 from landing page to paid call in 10 clicks and fields, to the exact amount",
  async ({ environment, page, goTo }) => {
    const email = newEmail();
    const actions = countActions();
    await goTo("/");
    await actions.click(
      page.getByRole("main").getByRole("link", { name: "Create account" }).first(),
    );
    await actions.fill(page.getByLabel("Email"), email);
    await actions.fill(page.getByLabel("Password", { exact: true }), password);
    await actions.click(page.getByRole("button", { name: "Create account" }));
    await page.getByText(`We sent a link to ${email}`).waitFor();

    await page.goto(linkIn((await environment.mails.waitFor(email)).text));
    await actions.click(page.getByRole("link", { name: "Add funds" }).first());
    await actions.click(page.getByRole("button", { name: "Continue to payment" }));
    // The inbox and the checkout are not our pages and are not counted.
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.getByText("$25.00 added. Your balance is $25.00.").waitFor();

    await actions.click(page.getByRole("link", { name: "Create API Key" }));
    await actions.fill(page.getByLabel("Name", { exact: true }), "first");
    await actions.click(page.getByRole("button", { name: "Create key" }));
    await actions.click(page.getByRole("button", { name: "Copy key" }));
    expect(actions.count()).toBeLessThanOrEqual(10);
    await expectBill({ environment, page, goTo });
  },
);

browserTest("E2E-2 the same flow with only the keyboard", async ({ environment, page, goTo }) => {
  const email = newEmail();
  const keys = openKeyboard(page);
  await goTo("/");
  await keys.press(page.getByRole("main").getByRole("link", { name: "Create account" }).first());
  await keys.type("email", email);
  await page.keyboard.press("Tab");
  await keys.type("password", password);
  await page.keyboard.press("Enter");
  await page.getByText(`We sent a link to ${email}`).waitFor();
  await page.goto(linkIn((await environment.mails.waitFor(email)).text));
  await keys.press(page.getByRole("main").getByRole("link", { name: "Add funds" }).first());
  await page.waitForFunction(() => document.activeElement?.matches("input[type=radio]:checked"));
  await page.keyboard.press("Enter");
  await keys.press(page.getByRole("button", { name: "Pay", exact: true }));
  await page.getByText("$25.00 added. Your balance is $25.00.").waitFor();
  await keys.press(page.getByRole("link", { name: "Create API Key" }));
  await keys.type("name", "by hand");
  await page.keyboard.press("Enter");
  await page.locator("button:focus", { hasText: "Copy key" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  await expectBill({ environment, page, goTo });
});

/** Pays a call with the copied key and finds its cost, digit by digit, in Logs, Usage and Wallet. */
async function expectBill({
  environment,
  page,
  goTo,
}: Pick<BrowserTest, "environment" | "page" | "goTo">) {
  const key = await page.evaluate(() => navigator.clipboard.readText());
  const { status, body } = await askChat(environment, key, { model: models.large });
  expect(status).toBe(200);
  const cost = costOf(models.large, body.usage);
  expect(cost).toBeGreaterThan(0n);
  await page.getByRole("button", { name: "Done" }).click();
  await goTo("/logs");
  const list = page.getByRole("table", { name: "Requests, newest first" });
  await list.locator("tbody a").first().click();
  await chargedLine(page).waitFor();
  expect(await chargedLine(page).textContent()).toBe(`$${usdOf(cost)}`);
  await goTo("/usage");
  await spendCard(page).waitFor();
  expect(nanosOf(await readExact(spendCard(page)))).toBe(cost);
  await goTo("/wallet");
  const ledger = await readLedgerFile(page);
  expect(ledger.map((row) => row.amount_usd)).toEqual(["25", `-${usdOf(cost)}`]);
  expect(ledger[1]?.balance_after_usd).toBe(usdOf(25_000_000_000n - cost));
}

async function readLedgerFile(page: Page) {
  return readCsv(await readDownload(page, page.getByRole("button", { name: "Download CSV" })));
}
