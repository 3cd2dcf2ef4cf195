// The Playground: answers stream, stop on request, and cost what the logs say.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { type MemberTest, memberTest } from "./browser-test.fixture.ts";
import { nanosOf } from "./expected-cost.fixture.ts";
import { askUntilShown } from "./pass-time.fixture.ts";
import { readExact } from "./read-page.fixture.ts";

const draft = (page: Page) => page.getByLabel("Your message");
const answer = (page: Page) => page.locator("[aria-busy]").last();
const funded = { usd: "10" };

async function ask({ page, goTo }: MemberTest, model: string, text: string): Promise<void> {
  await goTo(`/playground?model=${encodeURIComponent(model)}`);
  await draft(page).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

memberTest(
  "a model that is not offered is named, and a message can be typed at once",
  async (one) => {
    const { page, goTo } = one;
    await goTo("/playground?model=no/such");
    await page.getByText("Not offered here: no/such.").first().waitFor();
    await page.getByRole("textbox", { name: "Your message" }).and(page.locator(":focus")).waitFor();
  },
);

memberTest(
  "PLY-1 the answer appears piece by piece before it ends",
  async (one) => {
    await ask(one, "sandbox/echo", `${"word ".repeat(60)}end`);
    const lengths = await answer(one.page).evaluate(
      (element) =>
        new Promise<number[]>((resolve) => {
          const seen: number[] = [];
          const observer = new MutationObserver(() => {
            if (element.getAttribute("aria-busy") !== "true") return resolve(seen);
            // Before the first piece it says that it waits.
            const text = element.textContent ?? "";
            if (text.startsWith("word")) seen.push(text.length);
          });
          observer.observe(element, {
            subtree: true,
            childList: true,
            characterData: true,
            attributes: true,
          });
        }),
    );
    expect(new Set(lengths).size).toBeGreaterThan(3);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    await one.page.getByText(/Response finished, \d+ tokens/).waitFor({ state: "attached" });
  },
  funded,
);

memberTest(
  "PLY-2 Stop ends the answer immediately, and the log says canceled",
  async (one) => {
    const { page } = one;
    await ask(one, "northwind/beta-mini", '#script {"endless":true,"paceMs":20}');
    await answer(page).getByText("tok tok tok").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.getByText(/Stopped\. You were charged \$0\.0/).waitFor();
    await page.getByRole("link", { name: "View log" }).click();
    await page.getByRole("dialog", { name: "Request" }).getByText("Canceled").first().waitFor();
  },
  funded,
);

memberTest(
  "PLY-3 output of a model cannot run scripts, load images or link to unsafe addresses",
  async (one) => {
    const { page } = one;
    const evil = [
      '<img src="/nowhere.png" onerror="window.ran = true">',
      "<script>window.ran = true</script>",
      "[one](javascript:window.ran=true) [two](data:text/html,x) ![three](https://evil.example/x.png)",
      "[good](https://example.com/)",
    ].join("\n\n");
    await ask(one, "sandbox/echo", evil);
    await page.getByText(/Response finished/).waitFor({ state: "attached" });
    const link = answer(page).getByRole("link", { name: "good" });
    await link.waitFor();
    expect(await link.getAttribute("rel")).toContain("noopener");
    const unsafe = answer(page).locator('a[href^="javascript:"], a[href^="data:"], img, script');
    expect(await unsafe.count()).toBe(0);
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    await answer(page).getByText("onerror").first().waitFor();
  },
  funded,
);

memberTest("PLY-4 without a balance the draft stays and Add funds is offered", async (one) => {
  const { page } = one;
  await ask(one, "northwind/alpha-large", "Is anybody there?");
  await page.getByText("Your balance is too low for this request.").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Add funds" }).last().waitFor();
  const kept = await draft(page).inputValue();
  expect(kept || (await page.getByRole("main").textContent())).toContain("Is anybody there?");
});

memberTest(
  "PLY-5 the cost under the answer is the cost in the log",
  async (one) => {
    const { page } = one;
    await ask(one, "northwind/alpha-large", '#script {"deltas":77}');
    await page.getByText(/Response finished, 77 tokens/).waitFor({ state: "attached" });
    const cost = await readExact(page.locator("[data-cost] > span").first());
    await page.getByRole("link", { name: "View log" }).click();
    const charged = page.getByRole("dialog", { name: "Request" }).locator("[data-charged]");
    await charged.waitFor();
    expect(nanosOf((await charged.textContent()) ?? "")).toBe(nanosOf(cost));
    expect(nanosOf(cost)).toBeGreaterThan(0n);
    await page.getByRole("dialog").getByText("Playground").first().waitFor();
  },
  funded,
);

memberTest(
  "PLY-9 an answer that takes too long to format is shown as plain text and does not block the page",
  async (one) => {
    const { page } = one;
    // The Markdown parser takes quadratic time for this text.
    const hard = "_a*".repeat(10_000);
    await one.installClock();
    await ask(one, "sandbox/echo", hard);
    await askUntilShown(page, 4_000, page.getByText("Shown as plain text"));
    expect(await answer(page).textContent()).toContain(hard);
    // The page stays responsive, and the next answer is formatted again.
    await ask(one, "sandbox/echo", "and **this** is bold");
    await answer(page).locator("strong", { hasText: "this" }).waitFor();
  },
  funded,
);

memberTest(
  "PLY-10 signing out removes the conversations from the browser",
  async (one) => {
    const { page } = one;
    await ask(one, "sandbox/echo", "a secret of mine");
    await page.getByText(/Response finished/).waitFor({ state: "attached" });
    await one.goTo("/wallet");
    const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(await stored()).toContain("a secret of mine");
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/login");
    expect(await stored()).not.toContain("a secret of mine");
  },
  funded,
);
