// The landing page: what it shows is computed from the models of this instance, without an account.
import { expect } from "bun:test";
import { browserTest } from "./browser-test.fixture.ts";
import { models } from "./catalog.fixture.ts";

browserTest(
  "LND-1 one word changes the model of the first request, and its cost is traced to its lines",
  async ({ page, goTo }) => {
    await goTo("/");
    const code = page.getByRole("tabpanel").first();
    await code.getByText(models.large).waitFor();
    const cost = page.getByRole("table", { name: "What a request of this size costs" });
    expect(await cost.getByRole("row").allTextContents()).toEqual([
      "Input1,200 × $2.00 / 1M$0.0024",
      "Output300 × $8.00 / 1M$0.0024",
      "You pay$0.0048",
    ]);
    await page.getByRole("button", { name: models.mini }).click();
    await code.getByText(models.mini).waitFor();
    await cost.getByText("$0.00024", { exact: true }).waitFor();
  },
);

browserTest(
  "LND-2 people who switch see the lines to change and what their models cost here",
  async ({ page, goTo }) => {
    await goTo("/");
    await page.getByRole("tab", { name: "OpenRouter" }).click();
    await page.getByText("https://openrouter.ai/api/v1").waitFor();
    await page.getByLabel("Paste the IDs of the models you use").fill("alpha-large, no/such");
    await page.getByText("$2.00 / 1M in, $8.00 / 1M out").waitFor();
    await page.getByText("not offered here").waitFor();
    await page.getByRole("link", { name: "What else differs from OpenRouter" }).click();
    await page.waitForURL("**/docs/migrate-openrouter");
  },
);

browserTest(
  "LND-3 addresses that people know from elsewhere lead to the page meant, with their query",
  async ({ page, environment }) => {
    for (const [from, to] of [
      ["/signin?next=%2Fkeys", "/login?next=%2Fkeys"],
      ["/signup", "/register"],
      ["/dashboard", "/"],
    ] as const) {
      await page.goto(`${environment.url}${from}`);
      await page.waitForURL(`${environment.url}${to}`);
    }
  },
);
