// Amounts on screen: they add up, and the exact amount behind a rounded one is shown on hover and copied.
import { expect } from "bun:test";
import { askChat } from "./ask-gateway.fixture.ts";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { costOf, nanosOf } from "./expected-cost.fixture.ts";
import { readExact, readTable } from "./read-page.fixture.ts";

memberTest(
  "the running balance of the Wallet adds up to the nano-dollar in copies, and is shown in one precision",
  async ({ page, goTo, member, environment }) => {
    await member.addFunds("12.34");
    const { key } = await member.createKey("payer");
    await askChat(environment, key, { model: models.mini, content: '#script {"deltas":7}' });
    await goTo("/wallet");
    const ledger = page.getByRole("table", { name: "Your transactions" });
    await ledger.waitFor();
    const rows = await readTable(ledger);
    expect(rows).toHaveLength(3);
    const decimals = rows.flatMap((row) =>
      [row.Amount, row["Balance after"]].map((text) => text?.split(".")[1]?.length),
    );
    expect(new Set(decimals).size).toBe(1);
    const exact = await ledger
      .locator("tbody tr")
      .evaluateAll((all) =>
        all.map((row) =>
          [...row.children]
            .slice(3, 5)
            .map(
              (cell) =>
                cell.querySelector("[data-exact]")?.getAttribute("data-exact") ?? cell.textContent,
            ),
        ),
      );
    exact.forEach(([amount = "", after = ""], at) => {
      const before = nanosOf(exact[at + 1]?.[1] ?? "0");
      expect(before + nanosOf(amount)).toBe(nanosOf(after));
    });
  },
  { usd: "10" },
);

memberTest(
  "card and pill agree after a call that costs a fraction of a cent",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("tiny");
    await askChat(environment, key, { model: models.mini, max_tokens: 4 });
    await goTo("/");
    const pill = page.getByRole("link", { name: /^Balance \$/ });
    await pill.waitFor();
    const amount = "$9.99";
    expect(await pill.textContent()).toStartWith(`Balance ${amount}`);
    const card = page.locator("main .relative").filter({ hasText: /^Balance/ });
    await card.getByText(amount, { exact: true }).waitFor();
    await goTo("/wallet");
    await page.locator("main").getByText(amount, { exact: true }).first().waitFor();
  },
  { usd: "10" },
);

memberTest(
  "text copied from a page has the exact amounts",
  async ({ page, goTo, member, environment }) => {
    const { key } = await member.createKey("copied");
    const content = '#script {"deltas":321,"cachedTokens":7}';
    const { body } = await askChat(environment, key, { model: models.large, content });
    const cost = costOf(models.large, body.usage);
    await goTo("/logs");
    const row = page.getByRole("table", { name: "Requests, newest first" }).locator("tbody tr");
    const amount = row.locator("[data-exact]");
    await amount.waitFor();
    const shown = (await amount.textContent()) ?? "";
    expect(nanosOf(shown)).not.toBe(cost);
    expect(nanosOf(await readExact(amount.locator("..")))).toBe(cost);
    const copy = async (what: typeof row) => {
      await what.evaluate((element) => getSelection()?.selectAllChildren(element));
      await page.keyboard.press("Control+c");
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(nanosOf(await copy(amount))).toBe(cost);
    const cells = (await copy(row)).split("\t").map((text) => text.trim());
    expect(cells).not.toContain(shown);
    expect(cells.filter((text) => text.startsWith("$")).map(nanosOf)).toEqual([cost]);
  },
  { usd: "10" },
);
