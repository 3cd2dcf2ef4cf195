// Adding funds in a browser, paid at the scripted Stripe: only its signed webhooks are trusted.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { costOf, nanosOf, sumOf } from "./expected-cost.fixture.ts";
import { askUntilShown } from "./pass-time.fixture.ts";
import { countCalls, readCsv, readDownload, readExact, readTable } from "./read-page.fixture.ts";

/** The page asks again for a top-up that is not paid. */
const askAgainMs = 2_000;

const continueButton = (page: Page) => page.getByRole("button", { name: "Continue to payment" });
const ledger = (page: Page) => page.getByRole("table", { name: "Your transactions" });

/** Leaves the console for the checkout. */
async function goToCheckout(page: Page): Promise<void> {
  await continueButton(page).click();
  await page.getByRole("heading", { name: /^Pay \$/ }).waitFor();
}

memberTest(
  "WAL-1 pick $25 and pay: success text, balance and ledger row appear without a reload",
  async (one) => {
    const { page, goTo, installClock, environment } = one;
    const { stripe, server } = environment;
    // The webhook arrives when the page is already waiting for it.
    stripe.deliverTo(undefined);
    await installClock();
    try {
      await goTo("/wallet");
      await page.getByText("No transactions yet.").waitFor();
      await page.getByText("$25", { exact: true }).click();
      await goToCheckout(page);
      await page.getByRole("heading", { name: "Pay $25.00" }).waitFor();
      const before = stripe.events.length;
      await page.getByRole("button", { name: "Pay", exact: true }).click();
      await page.getByText("Confirming your payment…").waitFor();
      await page.getByRole("link", { name: "Balance $0.00" }).waitFor();
      await page.evaluate(() => Object.assign(window, { stayed: true }));
      for (const event of stripe.events.slice(before)) {
        await stripe.deliver(event, { url: `${server.url}/stripe/webhook` });
      }
      const added = page.getByText("$25.00 added. Your balance is $25.00.");
      await askUntilShown(page, askAgainMs, added);
      await page.getByRole("link", { name: "Balance $25.00" }).waitFor();
      await page.getByRole("link", { name: "Wallet", exact: true }).first().click();
      await ledger(page).waitFor();
      const [row] = await readTable(ledger(page));
      expect(row).toMatchObject({ Type: "Top-up", Amount: "+$25.00", "Balance after": "$25.00" });
      expect(await page.evaluate(() => "stayed" in window)).toBe(true);
    } finally {
      stripe.deliverTo(server.url);
    }
  },
);

memberTest("WAL-2 returning without paying says that nothing was charged", async (one) => {
  const { page, goTo, member } = one;
  await goTo("/wallet");
  await goToCheckout(page);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByText("Payment canceled. You were not charged.").waitFor();
  expect(await member.query("wallet.summary")).toMatchObject({ balanceUsd: "0" });
  await page.getByRole("link", { name: "Try again" }).click();
  await continueButton(page).waitFor();
});

memberTest("WAL-3 the return address by itself credits nothing and claims nothing", async (one) => {
  const { page, goTo, installClock, member, environment } = one;
  environment.stripe.deliverTo(undefined);
  await installClock();
  try {
    await goTo("/wallet");
    await goToCheckout(page);
    const session = environment.stripe.books.sessions.get(page.url().split("/").at(-1) ?? "");
    await page.goto(session?.success_url ?? "");
    await page.getByText("Confirming your payment…").waitFor();
    for (let time = 0; time < 2; time += 1) {
      const answered = page.waitForResponse((response) => response.url().includes("wallet.topUp"));
      await page.clock.fastForward(askAgainMs);
      await answered;
    }
    expect(await page.getByText("Your balance is").count()).toBe(0);
    await page.getByText("Confirming your payment…").waitFor();
    expect(await member.query("wallet.summary")).toMatchObject({ balanceUsd: "0" });
  } finally {
    environment.stripe.deliverTo(environment.server.url);
  }
});

memberTest(
  "WAL-4 too small and too large amounts show a field error, and nothing is sent",
  async (one) => {
    const { page, goTo } = one;
    await goTo("/wallet");
    await page.getByText("Other", { exact: true }).click();
    const field = page.getByLabel("Other amount");
    const calls = countCalls(page, "wallet.createTopUp");
    const refusals = {
      "1": "The minimum is $5.00.",
      "99999": "The maximum is $1,000.00.",
      "0": "The minimum is $5.00.",
      "-5": "Enter an amount in dollars",
      "10.005": "Enter an amount in dollars",
      "1e309": "Enter an amount in dollars",
      NaN: "Enter an amount in dollars",
      "": "Enter an amount.",
    };
    for (const [typed, refusal] of Object.entries(refusals)) {
      await field.fill(typed);
      await continueButton(page).click();
      await page.getByText(refusal).first().waitFor();
    }
    expect(calls()).toBe(0);
    await field.fill("12.50");
    await goToCheckout(page);
    await page.getByRole("heading", { name: "Pay $12.50" }).waitFor();
  },
);

memberTest("WAL-5 a double click makes one checkout", async (one) => {
  const { page, goTo, environment } = one;
  const before = environment.stripe.books.sessions.size;
  await goTo("/wallet");
  const calls = countCalls(page, "wallet.createTopUp");
  await continueButton(page).dblclick();
  await page.getByRole("heading", { name: "Pay $25.00" }).waitFor();
  expect(calls()).toBe(1);
  expect(environment.stripe.books.sessions.size).toBe(before + 1);
  // After Back the button can be pressed again.
  await page.goBack();
  await goToCheckout(page);
});

memberTest(
  "WAL-6 the amounts of the ledger add up to the balance, to the last digit",
  async ({ page, goTo, member, environment }) => {
    await member.addFunds("12.34");
    const { key } = await member.createKey("payer");
    for (const model of [models.large, models.mini, models.gamma]) {
      expect((await askChat(environment, key, { model })).status).toBe(200);
    }
    const { balanceUsd } = await member.query("wallet.summary");
    await goTo("/wallet");
    const file = await readDownload(page, page.getByRole("button", { name: "Download CSV" }));
    const rows = readCsv(file);
    expect(rows).toHaveLength(3);
    const amounts = rows.map((row) => row.amount_usd ?? "");
    expect(sumOf(amounts)).toBe(nanosOf(String(balanceUsd)));
    expect(rows.at(-1)?.balance_after_usd).toBe(String(balanceUsd));
    expect(rows.at(-1)).toMatchObject({ calls: "3", running: "yes" });
    // The page shows the same rows, newest first, in one precision.
    const shown = await readTable(ledger(page));
    expect(shown.map((row) => row.Type)).toEqual(["Usage", "Top-up", "Top-up"]);
    const [topUp, first] = shown.slice(1).map((row) => row.Amount ?? "");
    expect([topUp, first].map((text) => nanosOf(text ?? ""))).toEqual([
      12_340_000_000n,
      10_000_000_000n,
    ]);
  },
  { usd: "10" },
);

memberTest(
  "WAL-7 the running hour of a key is a line that opens its calls; the playground has its own",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("laptop");
    const other = await member.createKey("other");
    const costs: bigint[] = [];
    for (const content of ["one", '#script {"deltas":321}']) {
      const { body } = await askChat(environment, key, { model: models.large, content });
      costs.push(costOf(models.large, body.usage));
    }
    await askChat(environment, other.key, { model: models.mini });
    await goTo(`/playground?model=${models.mini}`);
    await page.getByLabel("Your message").fill("Hello!");
    await page.keyboard.press("Control+Enter");
    await page.getByText(/esponses? finished/).waitFor({ state: "attached" });
    await goTo("/wallet");
    await ledger(page).waitFor();
    const rows = await readTable(ledger(page));
    const lines = rows
      .filter((row) => row.Type === "Usage")
      .map((row) => row.Description?.replace(/ \d\d:00–\d\d:00 /, " one hour "));
    expect(lines.toSorted()).toEqual([
      "Playground · one hour · 1 requestRunning",
      "laptop · one hour · 2 requestsRunning",
      "other · one hour · 1 requestRunning",
    ]);
    await ledger(page)
      .getByText(/^laptop/)
      .click();
    const list = page.getByRole("table", { name: "Requests, newest first" });
    await list.waitFor();
    expect((await readTable(list)).map((row) => row.Key)).toEqual(["laptop", "laptop"]);
    const charged: bigint[] = [];
    for (const row of await list.locator("tbody tr").all()) {
      const cell = row.locator("td", { hasText: "$" }).locator("span").first();
      charged.push(nanosOf(await readExact(cell)));
    }
    expect(charged.toReversed()).toEqual(costs);
    await page.goBack();
    await ledger(page)
      .getByText(/^Playground/)
      .click();
    await page.getByRole("button", { name: "Remove the filter Playground only" }).waitFor();
    await list.waitFor();
    expect(await list.locator("tbody tr").count()).toBe(1);
  },
  { usd: "10" },
);
