// Amounts on screen: they add up, and the exact amount behind a rounded one is shown on hover and copied.
import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import { askChat } from "./ask-gateway.fixture.ts";
import { memberTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";
import { costOf, nanosOf, sumOf, usdOf } from "./expected-cost.fixture.ts";
import { readTable, spendCard } from "./read-page.fixture.ts";

/** A rounded amount as it is shown, without its sign, and the exact amount behind it. */
async function readRounded(place: Locator) {
  const amount = place.locator("[data-exact]").first();
  await amount.waitFor();
  const absolute = (text: string | null) => text?.replace("−", "");
  return {
    shown: absolute(await amount.textContent()),
    exact: absolute(await amount.getAttribute("data-exact")),
  };
}

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
  "Wallet, Keys, Overview and Usage show the same spend of a key today while calls are under way",
  async ({ page, goTo, member, environment }) => {
    const { upstream } = environment;
    const { id, key } = await member.createKey("tiny", { spendLimitsUsd: { day: "5" } });
    const ask = (script: object) =>
      askChat(environment, key, {
        model: models.mini,
        content: `#script ${JSON.stringify(script)}`,
      });
    const costs: bigint[] = [];
    for (let batch = 0; batch < 4; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 9 }, () => ask({ deltas: 29 })));
      costs.push(...answers.map(({ body }) => costOf(models.mini, body.usage)));
    }
    const running = ask({ gate: true, tag: "holds" });
    await upstream.waitFor(({ tag }) => tag === "holds");
    const spent = costs.reduce((sum, cost) => sum + cost, 0n);
    expect(costs).toHaveLength(36);
    const main = page.locator("main");
    const card = (name: string) => main.locator(".relative").filter({ hasText: name }).first();

    await goTo("/");
    const overview = await readRounded(card("Spend today"));
    expect(nanosOf(overview.exact ?? "")).toBe(spent);
    expect(await readRounded(card("This month"))).toEqual(overview);
    expect(await readRounded(card("Balance"))).toEqual({
      shown: "$9.99",
      exact: `$${usdOf(10_000_000_000n - spent)}`,
    });

    await goTo("/usage?range=today");
    expect(await readRounded(spendCard(page).locator(".."))).toEqual(overview);
    await goTo(`/usage?range=today&by=key&keys=${id}`);
    expect(await readRounded(spendCard(page).locator(".."))).toEqual(overview);
    const breakdown = page.getByRole("table", { name: /^Usage by/ });
    expect(await readRounded(breakdown.locator("tbody tr"))).toEqual(overview);

    await goTo("/keys");
    expect(await readRounded(main.locator("tbody tr"))).toEqual(overview);
    await main.getByText(`${overview.shown} of $5.00`).waitFor();
    await goTo(`/keys/${id}`);
    const limit = main.locator("li").filter({ hasText: "of $5.00" });
    expect(await readRounded(limit)).toEqual(overview);

    await goTo("/wallet");
    await main.getByText(/^\$0\.\d+ reserved for/).waitFor();
    const ledger = page.getByRole("table", { name: "Your transactions" });
    const lines = await ledger.locator("tbody tr").filter({ hasText: "tiny" }).all();
    const amounts = await Promise.all(
      lines.map((line) => readRounded(line.locator("th, td").nth(3))),
    );
    expect(sumOf(amounts.map(({ exact = "" }) => exact))).toBe(spent);
    // A second line if an hour ended meanwhile.
    if (amounts.length === 1) expect(amounts).toEqual([overview]);

    upstream.open("holds");
    expect((await running).status).toBe(200);
  },
  { usd: "10" },
);
